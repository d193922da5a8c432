#!/usr/bin/env bash
# Installs the programs that some tests use as independent peers: packages of Debian as root on Debian, programs of npm into a folder
# of their own. Elsewhere it is said what is missing. It never fails: a test whose program is missing says so and is skipped.
set -uo pipefail
export PATH="$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive

# Programs of npm that are too large to be dependencies (400 MB in all, half a minute), by name and version. Outside the checkout, so
# that `npm ci` leaves them; `server/test/npm_peers.ts` finds them there.
npm_peers=(
  'newman@6.2.2'
  '@usebruno/cli@4.1.0'
  '@stoplight/spectral-cli@6.16.3'
)
npm_folder=${TANDEM_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/tandem-peers}

install_npm_peers() {
  local wanted=() peer file
  for peer in "${npm_peers[@]}"; do
    file="$npm_folder/node_modules/${peer%@*}/package.json"
    grep -qs "\"version\": \"${peer##*@}\"" "$file" || wanted+=("$peer")
  done
  [ "${#wanted[@]}" -gt 0 ] || return 0
  local command="npm install --prefix $npm_folder --ignore-scripts --no-audit --no-fund --save-exact ${npm_peers[*]}"
  local why='As an ordinary user install them by this command:'
  if [ "$(id -u)" -eq 0 ]; then
    echo "Installing programs of npm for the tests into $npm_folder: ${wanted[*]}"
    # Two runs at once would write into the same folder.
    mkdir -p "$npm_folder" && flock -w 300 "$npm_folder" timeout 300 $command --loglevel=error >/dev/null && return 0
    why='They could not be installed; is there a network? The command was:'
  fi
  printf 'MISSING PROGRAMS OF NPM: %s\n%s %s\nTests that need them are skipped.\n' "${wanted[*]}" "$why" "$command" >&2
}
# Beside the packages of Debian, which take as long.
install_npm_peers &
trap wait EXIT

# One entry a tool: program=package, alternatives parted by "|", the first that Debian offers is taken.
tools=(
  'valkey-server=valkey-server|redis-server=redis-server'
  'pg_ctlcluster=postgresql'
  'pgbouncer=pgbouncer'
  'chromium-headless-shell=chromium-headless-shell|chromium=chromium'
  'firefox-esr=firefox-esr|firefox=firefox'
  'bearerbox=kannel'
  'sipp=sip-tester'
  'baresip=baresip-core|baresip=baresip'
  'kamailio=kamailio'
  'linphonec=linphone-cli|linphonec=linphone-nogtk'
  'espeak-ng=espeak-ng'
  'flite=flite'
  'sox=sox'
  'dkimverify=python3-dkim'
  'oathtool=oathtool'
  'dovecot=dovecot-imapd'
  'swaks=swaks'
  'msmtp=msmtp'
  'nginx=nginx-light|nginx=nginx'
  'caddy=caddy'
  'promtool=prometheus'
  # Modules of the Python of the system.
  'python3:requests=python3-requests'
  'python3:authlib=python3-authlib'
)

is_there() {
  case $1 in
    python3:*) /usr/bin/python3 -c "import ${1#*:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
for tool in "${tools[@]}"; do
  found=
  for choice in ${tool//|/ }; do
    is_there "${choice%%=*}" && found=yes
  done
  [ -n "$found" ] || missing+=("$tool")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

report() {
  echo "MISSING SYSTEM TOOLS: ${missing[*]}" >&2
  echo "$1 Tests that need them are skipped." >&2
  exit 0
}

command -v apt-get >/dev/null || report 'This system has no apt-get: install them by its own means.'
[ "$(id -u)" -eq 0 ] || report 'Install them as root: sudo bash scripts/system_tools.sh'

# The tests run these programs themselves: keep the packages from starting services of their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
  trap 'rm -f "$policy"; wait' EXIT
fi

apt='timeout 300 apt-get -qq -o DPkg::Lock::Timeout=60'
echo "Installing system tools for the tests: ${missing[*]}"
$apt update >/dev/null || echo 'apt-get update failed; trying with the package lists at hand' >&2
still_missing=()
for tool in "${missing[@]}"; do
  package=
  for choice in ${tool//|/ }; do
    [ -n "$package" ] || ! apt-cache show "${choice#*=}" >/dev/null 2>&1 || package="${choice#*=}"
  done
  if [ -z "$package" ] || ! $apt install -y --no-install-recommends "$package" >/dev/null; then
    still_missing+=("$tool")
  fi
done
missing=("${still_missing[@]}")
[ "${#missing[@]}" -eq 0 ] || report 'apt-get could not install them.'
