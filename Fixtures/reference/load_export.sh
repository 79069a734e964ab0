#!/usr/bin/env bash
# Loads what `tally index export --format pgvector` prints into a PostgreSQL server of its own, in a temporary
# folder and on a socket in it alone, and compares the search by SQL with `tally index search`, for each metric.
# Where pgvector is not installed, the vectors are loaded as text and the metrics written out in SQL.
#
#   Fixtures/reference/load_export.sh TALLY FILE.npy PAYLOADS     (PAYLOADS: a line for each row)
#
# Needs Debian's postgresql, jq and, where it is run as root, a user postgres.
set -euo pipefail
tally=$(realpath "$1") vectors=$(realpath "$2") payloads=$(realpath "$3")
bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | tail -n 1)")
top=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
  as=(runuser -u postgres --)
  chown postgres "$top"
fi
trap '"${as[@]}" "$bin/pg_ctl" -D "$top/data" -m immediate stop > /dev/null 2>&1 || true; rm -rf "$top"' EXIT
cd "$top"
"${as[@]}" "$bin/initdb" -D "$top/data" -A trust -E UTF8 --locale=C > /dev/null
"${as[@]}" "$bin/pg_ctl" -D "$top/data" -o "-k $top -c listen_addresses=''" -l "$top/log" -w start > /dev/null
psql() { "${as[@]}" "$bin/psql" -h "$top" -d postgres -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }
hasVector=$(psql -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'")

# One term of each metric, over the values x of an entry and y of the query.
declare -A terms=(
  [cosine]="1 - sum(x * y) / sqrt(sum(x * x) * sum(y * y))"
  [inner-product]="-sum(x * y)"
  [euclidean]="sum((x - y) ^ 2)"
)
for metric in cosine inner-product euclidean; do
  "$tally" index build "$top/$metric.index" --vectors "$vectors" --payloads "$payloads" --metric "$metric"
  "$tally" index export "$top/$metric.index" --format pgvector > "$metric.sql"
  id=$("$tally" index export "$top/$metric.index" --format csv | sed -n 2p | cut -d, -f1)
  "$tally" index search "$top/$metric.index" --id "$id" --top 10 --json | jq -r '.results[].id' > wanted
  psql -c 'DROP TABLE IF EXISTS tally_index'
  if [ "$hasVector" = 1 ]; then
    chmod a+r "$metric.sql"
    { cat "$metric.sql"
      echo "SELECT embedding AS query FROM tally_index WHERE id = '$id' \\gset"
      echo "EXECUTE tally_search(:'query', 11);"
    } | psql | grep -v "^$id" | cut -d'|' -f1 > found
  else
    sed -e '/^CREATE EXTENSION/d' -e 's/embedding vector([0-9]*)/embedding text/' -e '/^PREPARE/,$d' "$metric.sql" | psql
    psql -c "
      WITH n AS (
        SELECT id, v.x::float8, v.i FROM tally_index,
          unnest(string_to_array(trim(BOTH '[]' FROM embedding), ',')) WITH ORDINALITY AS v (x, i)),
        q AS (SELECT x AS y, i FROM n WHERE id = '$id')
      SELECT id FROM n JOIN q USING (i) WHERE id <> '$id' GROUP BY id ORDER BY ${terms[$metric]} LIMIT 10" > found
  fi
  rows=$(psql -c 'SELECT count(*) FROM tally_index')
  [ "$rows" = "$(wc -l < "$payloads")" ] || { echo "$metric: $rows rows" >&2; exit 1; }
  psql -c 'SELECT payload FROM tally_index ORDER BY ctid' | cmp - "$payloads"
  cmp wanted found
  echo "$metric: $rows rows loaded, the ten nearest agree$([ "$hasVector" = 1 ] || echo ' (vectors as text)')"
done
