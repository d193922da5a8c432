// The files that go with a mail, as the API takes them: in base64, within the request.
import type { MailsCreateParams } from '@tandem/sdk'

type Attached = NonNullable<MailsCreateParams['attachments']>[number]

/** What distinguishes files without their bytes. */
export const namesOf = (files: readonly File[]) =>
  files.map(({ name, size, lastModified }) => [name, size, lastModified])

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** @throws DOMException when one is not there any more */
export function attachmentsOf(files: readonly File[]): Promise<Attached[]> {
  return Promise.all(
    files.map(async file => ({
      fileName: file.name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(0, 200) || '_',
      mediaType: mediaType.test(file.type) ? file.type : 'application/octet-stream',
      content: await base64Of(file),
    })),
  )
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
