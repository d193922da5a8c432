#!/usr/bin/env bash
# Makes a folder with an Asterisk in it, for the tests of trunks of the kind `asterisk`: a small Debian of its own, because the Debian that is
# current may have none. As root; about a minute and 650 MB. Nothing outside the folder is changed, and no service is started.
#   bash scripts/asterisk_chroot.sh <folder> [bullseye|sid]       bullseye brings Asterisk 16, sid 22; without a word the first that works
set -euo pipefail
export PATH="$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive LC_ALL=C

usage='usage: bash scripts/asterisk_chroot.sh <folder> [bullseye|sid]'
folder=${1:?$usage}
suites=${2:-bullseye sid}
[ "$(id -u)" -eq 0 ] || { echo "Only root can make such a folder: sudo bash scripts/asterisk_chroot.sh $folder" >&2; exit 1; }
if [ -x "$folder/usr/sbin/asterisk" ]; then echo "TANDEM_TEST_ASTERISK=$folder"; exit 0; fi
if [ -e "$folder" ]; then echo "$folder exists and has no Asterisk: remove it, or name another folder." >&2; exit 1; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# debootstrap is a shell script: where it is not installed, it is unpacked beside and used from there.
debootstrap=debootstrap
if ! command -v debootstrap >/dev/null; then
  (cd "$work" && apt-get -qq download debootstrap && dpkg -x debootstrap_*.deb tools) ||
    { echo 'There is no debootstrap: install it (apt-get install debootstrap) and try again.' >&2; exit 1; }
  export DEBOOTSTRAP_DIR="$work/tools/usr/share/debootstrap"
  debootstrap="$work/tools/usr/sbin/debootstrap"
fi

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
make_from() {
  local suite=$1 tree=$2
  # What the tests run is checked by its signature; that of a mirror which stands still may have expired.
  local late='-o Acquire::Check-Valid-Until=false'
  bash "$debootstrap" --variant=minbase --keyring="$keyring" "$suite" "$tree" ${DEBIAN_MIRROR:-} || return 1
  printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d" && chmod 755 "$tree/usr/sbin/policy-rc.d"
  # Without its own name in there Asterisk waits for a name server again and again.
  echo "127.0.0.1 localhost $(hostname)" >"$tree/etc/hosts"
  chroot "$tree" apt-get -qq $late update || return 1
  chroot "$tree" apt-get -qq $late install -y --no-install-recommends asterisk asterisk-modules || return 1
  chroot "$tree" apt-get clean
}

for suite in $suites; do
  echo "Making an Asterisk of Debian $suite in $folder"
  if make_from "$suite" "$work/tree" >"$work/log" 2>&1; then
    mkdir -p "$(dirname "$folder")"
    mv "$work/tree" "$folder"
    chroot "$folder" /usr/sbin/asterisk -V
    echo "TANDEM_TEST_ASTERISK=$folder"
    exit 0
  fi
  echo "That failed with Debian $suite; the last lines of it:" >&2
  tail -n 5 "$work/log" >&2
  rm -rf "$work/tree"
done
exit 1
