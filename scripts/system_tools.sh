#!/usr/bin/env bash
# Installs the programs that some tests use as independent peers. As root on Debian they are installed; elsewhere it is said
# what is missing. It never fails: a test whose program is missing says so and is skipped.
set -uo pipefail
export PATH="$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive

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
  'espeak-ng=espeak-ng'
  'flite=flite'
  'sox=sox'
)

missing=()
for tool in "${tools[@]}"; do
  found=
  for choice in ${tool//|/ }; do
    command -v "${choice%%=*}" >/dev/null && found=yes
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
  trap 'rm -f "$policy"' EXIT
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
