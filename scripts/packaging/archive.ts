// Writes a folder as one .tar.gz that is the same for the same contents: sorted names, one time for all, no owner. And the sums of its
// files.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export type ArchiveOptions = {
  folder: string
  file: string
  /** Of every entry, in seconds since 1970. */
  timeS: number
  /** Of gzip, 1 to 9. */
  level: number
}

/**
 * Packs `folder`, with its own name as the only entry of the archive's top. Needs GNU tar.
 * @returns size in bytes and SHA-256 of the file
 */
export async function writeArchive({ folder, file, timeS, level }: ArchiveOptions) {
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const modes = ['--mode=u+rwX,go+rX,go-w', `--mtime=@${timeS}`]
  const tar = spawn('tar', [...order, ...modes, '-C', dirname(folder), '-cf', '-', basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(tar, 'close')
  await pipeline(tar.stdout, createGzip({ level }), createWriteStream(file))
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return { bytes: statSync(file).size, sha256: digest.digest('hex') }
}

/** Lines for `sha256sum --check`, of every file below `folder`, in the order of their names. */
export function sumsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return files.map(name => `${sum(name)}  ${name}\n`).join('')
}
