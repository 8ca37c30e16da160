"""Reads an archive with DuckDB and compares counts, sums, types and partition columns with what PostgreSQL said before."""
import json
import sys

import duckdb

folder, expected = sys.argv[1], json.loads(sys.argv[2])


def files(table):
    return f"read_parquet('{folder}/*/*/{table}.*.parquet', hive_partitioning = true)"


def is_so(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: DuckDB reads {found!r} where PostgreSQL had {wanted!r}")


db = duckdb.connect()
db.execute("SET TimeZone = 'UTC'")
tasks = files("housekeeping.housekeeping_tasks")
count, minutes, kinds, first, helpers = db.execute(
    f"""SELECT count(*), sum(estimated_minutes), list_sort(list(DISTINCT kind)), strftime(min(created_at), '%Y-%m-%d %H:%M:%S.%f'),
               sum(json_array_length(helper_staff_ids)) FROM {tasks}"""
).fetchone()
wanted = expected["tasks"]
is_so("tasks", count, wanted["count"])
is_so("minutes", int(minutes), wanted["minutes"])
is_so("kinds", kinds, sorted(wanted["kinds"]))
is_so("the first moment", first, wanted["first"])
is_so("helpers", int(helpers), wanted["helpers"])
types = dict(db.execute(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {tasks})").fetchall())
is_so("created_at", types["created_at"], "TIMESTAMP WITH TIME ZONE")
is_so("completed_at", types["completed_at"], "TIMESTAMP WITH TIME ZONE")
is_so("version", types["version"], "INTEGER")
is_so("no_maintenance_found", types["no_maintenance_found"], "BOOLEAN")
is_so("id", types["id"], "VARCHAR")
if types["outcome_results"] not in ("JSON", "VARCHAR"):
    sys.exit(f"outcome_results is {types['outcome_results']}")
partitions = db.execute(f"SELECT DISTINCT tenant, month FROM {tasks}").fetchall()
is_so("partitions", [(tenant, str(month)[:7]) for tenant, month in partitions], [(expected["tenant"], expected["month"])])
count, moved = db.execute(f"SELECT count(*), sum(\"count\") FROM {files('housekeeping.linen_movements')}").fetchone()
is_so("linen", (count, int(moved)), (expected["linen"]["count"], expected["linen"]["sum"]))
audit = files("housekeeping.audit_events")
found = db.execute(
    f"SELECT count(*), count(DISTINCT subject), count(*) FILTER (WHERE json_exists(payload, '$.taskId')) FROM {audit}"
).fetchone()
is_so("audit", found, (expected["audit"]["count"], expected["audit"]["subjects"], expected["audit"]["tasks"]))
print("DuckDB", duckdb.__version__, "reads what PostgreSQL wrote")
