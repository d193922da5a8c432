// Keys of stored objects, addresses of buckets, and what is said when there is nothing under a key. A key is a path of plain words: it can leave no
// folder, hide no file, and is the same text on disk, in an address and in a signature.

const pattern = /^(?!.{513})[A-Za-z0-9][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9][A-Za-z0-9_.-]*)*$/

export function isObjectKey(key: string): boolean {
  return pattern.test(key)
}

/** @throws Error for what is no key: keys are made by us, so that is a programmer's error */
export function checkedKey(key: string): string {
  if (!isObjectKey(key)) throw new Error(`not a key of an object: ${JSON.stringify(key)}`)
  return key
}

export function objectMissing(key: string, cause?: unknown): Error {
  return Object.assign(new Error(`there is no object ${key}`, { cause }), { code: 'OBJECT_MISSING' })
}

export function isObjectMissing(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'OBJECT_MISSING'
}

export type S3Address = { bucket: string; prefix: string }

/** Reads `s3://bucket/prefix`; undefined for anything else. */
export function parseS3Address(text: string): S3Address | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*?))?\/*$/.exec(text)
  if (match === null) return undefined
  const [, bucket = '', prefix = ''] = match
  return prefix === '' || isObjectKey(prefix) ? { bucket, prefix } : undefined
}

/** The one spelling of an address. */
export function s3AddressText({ bucket, prefix }: S3Address): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`
}
