#!/bin/sh
# Stands in for wrangler and docker in tests. Records each call in $ACCOUNT/calls, and each resource that it creates in
# $ACCOUNT/resources. A call that contains $FAIL fails.
call="${0##*/} $*"
resources="$ACCOUNT/resources"
touch "$resources"

has() { grep -qxF "$1" "$resources"; }
fail() { echo "$1" >&2; exit 1; }
create() {
  has "$1" && fail "A resource with the name $1 already exists. [code: 10004]"
  echo "$1" >> "$resources"
}

echo "$call" >> "$ACCOUNT/calls"
case "$call" in
  *' --config wrangler.released.toml'*)
    cp "$(sed -n 's/^image = "\(.*\)"/\1/p' wrangler.released.toml | head -n 1)" "$ACCOUNT/dockerfile" ;;
esac
case "$call" in *"${FAIL:-no such call}"*) fail 'The API says no.' ;; esac
case "$call" in
  *' whoami '*) echo "$WHOAMI" ;;
  *' bucket create '* | *' d1 create '*) create "$call" ;;
  *' d1 info '*) echo '{"uuid":"00000000-0000-4000-8000-000000000001"}' ;;
  *' d1 export '*)
    # The first row is in every export. The previous version has written the second one since the last export.
    echo >> "$ACCOUNT/exports"
    for code in abc "new$(wc -l < "$ACCOUNT/exports")"; do
      printf '%s\n' "INSERT INTO \"short_links\" (\"code\") VALUES('$code');"
    done > "${call##*--output }" ;;
  *' d1 execute '*' --file '*) cat "${call##*--file }" >> "$ACCOUNT/imported" ;;
  *' d1 execute '*'DROP TABLE'*) rm "$ACCOUNT/old-tables" ;;
  *' d1 execute '*) cat "$ACCOUNT/old-tables" 2> /dev/null || echo '[{"results":[]}]' ;;
  *' time-travel info '*) echo '{"bookmark":"00000001-0000"}' ;;
  *' migrations apply '*)
    has "$call" || printf '0001_first.sql\n0002_second.sql\n'
    has "$call" || create "$call" ;;
  *' secret list '*)
    has worker || fail 'Worker "tools" not found.'
    echo '[{"name":"MEDIA_SECRET"},{"name":"METRICS_TOKEN"}]' ;;
  *' --secrets-file '*)
    cp "${call##*--secrets-file }" "$ACCOUNT/secrets"
    create worker ;;
esac
