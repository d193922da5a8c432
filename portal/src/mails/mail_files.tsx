// The files of a mail, in its form.
import { mailFiles } from '../forms/file_limits.ts'
import { FilePicker, type FilePickerProps } from '../forms/file_picker.tsx'

export function MailFiles(props: Omit<FilePickerProps, 'limits'>) {
  return <FilePicker {...props} limits={mailFiles} />
}
