# Stops the shared test cluster below $1 when nobody has used it for $2 seconds.
# Every test process holds users.lock together with the others. Whoever holds it alone may stop the cluster: a test that
# comes at that moment waits for the lock, finds the cluster stopped, and starts it again with a new watchdog.
command -v flock >/dev/null || exit 0
exec 8<"$1/watchdog.lock" 9<"$1/users.lock"
flock -n 8 || exit 0
pid_file="$1/postgres/data/postmaster.pid"
idle=0
while :; do
    sleep 1
    if ! flock -n 9; then
        idle=0
        continue
    fi
    idle=$((idle + 1))
    if [ ! -f "$pid_file" ]; then
        exit 0
    fi
    if [ "$idle" -ge "$2" ]; then
        read -r pid <"$pid_file" && kill -INT "$pid"
        tries=0
        while [ -f "$pid_file" ] && [ "$tries" -lt 100 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        exit 0
    fi
    flock -u 9
done
