// Which files may go with what is written, and why one may not.

/** As the server takes them: how many, and bytes of each or of all together. */
export type FileLimits = { files: number; bytesEach?: number; bytesAll?: number }
export type RefusedFile = {
  name: string
  why: 'empty' | 'too many' | 'too large' | 'too large with others'
  limit: number
}

export const noteFiles: FileLimits = { files: 10, bytesEach: 25_000_000 }
/** With its words a mail has at most 10 MB (10 * 2^20 bytes): the rest is for them. */
export const mailFiles: FileLimits = { files: 20, bytesAll: 10_000_000 }

/** Those of the chosen files that may come to others, and the first that may not. */
export function takeFiles(files: readonly File[], chosen: readonly File[], limits: FileLimits) {
  const { bytesEach = Number.POSITIVE_INFINITY, bytesAll = Number.POSITIVE_INFINITY } = limits
  const all = [...files]
  let refused: RefusedFile | undefined
  for (const file of chosen) {
    const { name, size } = file
    const bytes = all.reduce((sum, one) => sum + one.size, size)
    if (size === 0) refused ??= { name, why: 'empty', limit: 0 }
    else if (all.length >= limits.files) refused ??= { name, why: 'too many', limit: limits.files }
    else if (size > bytesEach) refused ??= { name, why: 'too large', limit: bytesEach }
    else if (bytes > bytesAll) refused ??= { name, why: 'too large with others', limit: bytesAll }
    else all.push(file)
  }
  return { all, refused }
}
