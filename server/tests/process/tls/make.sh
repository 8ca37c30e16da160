#!/bin/sh
# Makes the certificates of these tests anew: two authorities that know nothing of each other, a server called `localhost`
# that the first of them vouches for, and a server that vouches for itself the way PostgreSQL's manual makes one. The keys
# protect nothing: whoever reads this has them. Run it here; it needs openssl 3.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }
sign() { # subject, extensions, request's key, issuer's certificate and key or nothing, what comes out
  printf '%s\n' "$2" > "$folder/extensions"
  openssl req -new -key "$3" -subj "/CN=$1" -out "$folder/request"
  : > "$folder/index"
  printf '[ca]\ndefault_ca=a\n[a]\ndatabase=%s/index\nserial=%s/serial\nnew_certs_dir=%s\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n' \
    "$folder" "$folder" "$folder" > "$folder/config"
  # Good for all the time these tests may run in, whatever the clock of the machine says.
  openssl ca -batch -notext -config "$folder/config" -rand_serial -startdate 20200101000000Z -enddate 21200101000000Z \
    -in "$folder/request" -extfile "$folder/extensions" $4 -out "$5" 2>/dev/null
}
authority='basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash'
for name in root other; do
  key "$folder/$name.key"
  sign "Test authority $name" "$authority" "$folder/$name.key" "-selfsign -keyfile $folder/$name.key" "$name.crt"
done
key server.key
sign "localhost" "basicConstraints=CA:FALSE
extendedKeyUsage=serverAuth
subjectAltName=DNS:localhost" server.key "-cert root.crt -keyfile $folder/root.key" server.crt
key alone.key
sign "localhost" "basicConstraints=critical,CA:TRUE
subjectAltName=DNS:localhost" alone.key "-selfsign -keyfile alone.key" alone.crt
