// A telephone number as people write it. What is copied of it is E.164, which machines read.
import styles from './people.module.css'
import { usePhoneText } from './use_phone_text.ts'

export function PhoneNumber({ number }: { number: string }) {
  const text = usePhoneText()(number)
  if (text === number) return number
  return (
    <span
      className={styles['number']}
      dir="ltr"
      title={number}
      onCopy={event => {
        // A part of it is copied as it stands.
        if (window.getSelection()?.toString().trim() !== text) return
        event.clipboardData.setData('text/plain', number)
        event.preventDefault()
      }}
    >
      {text}
    </span>
  )
}
