// Packs what a build has written, once and as small as it goes, so that the server never compresses anything: beside each
// file stand its `.br` and `.gz` where they are worth it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)
const packed = /\.(js|css|json|svg|txt)$/
/** Below this a packet carries the file either way. */
const smallestBytes = 1_024

async function pack(file: string, source: Buffer): Promise<void> {
  const [br, gz] = await Promise.all([
    brotli(source, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length },
    }),
    deflate(source, { level: 9 }),
  ])
  if (br.length < source.length) await writeFile(`${file}.br`, br)
  if (gz.length < source.length) await writeFile(`${file}.gz`, gz)
}

export function precompress(): Plugin {
  return {
    name: 'tandem-precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const work = Object.values(bundle).flatMap(output => {
        const source = Buffer.from(output.type === 'chunk' ? output.code : output.source)
        const isWorth = packed.test(output.fileName) && source.length >= smallestBytes
        return isWorth ? [pack(join(dir, output.fileName), source)] : []
      })
      await Promise.all(work)
    },
  }
}
