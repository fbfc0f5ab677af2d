# Read by the launchers: sets java and release (its number), or ends with 69.

die() {
  code=$1
  shift
  printf 'sotto: %s\n' "$@" >&2
  exit "$code"
}

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || die 69 "JAVA_HOME must hold bin/java, but is $JAVA_HOME"
else
  java=$(command -v java) || die 69 "Java 17 or newer must be on the PATH, but there is none"
fi
# What Java says of itself stands in a file beside its folder, links followed: reading it is faster than a start of Java.
real=$java
while [ -L "$real" ]; do
  link=$(readlink "$real")
  case $link in
    /*) real=$link ;;
    *) real=$(dirname "$real")/$link ;;
  esac
done
banner=$(cat "$(dirname "$real")/../release" 2>/dev/null)
release=$(printf '%s\n' "$banner" | sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' | head -n 1)
if [ -z "$release" ]; then
  banner=$("$java" -version 2>&1) || die 69 "$java must run, but said: $banner"
  release=$(printf '%s\n' "$banner" | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
fi
# "1.8" and its elders read as 1.
[ "${release:-0}" -ge 17 ] ||
  die 69 "Java must be 17 or newer, but $java is ${release:-of an unknown version}" \
    "set JAVA_HOME to a newer one"
