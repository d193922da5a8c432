// What an app that makes codes is set up with. The QR code is drawn in place: nothing of what it holds leaves the page.
import { encode } from 'uqr'
import styles from './account.module.css'
import { t } from './texts.ts'

function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className={styles['qr']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}

/** What an app is set up with: a code to scan, and the same to type. */
export function AppSetup({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className={styles['setup']}>
      <QrCode text={uri} label={t('appQr')} />
      <p>{t.rich('appSecret', { secret: () => <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code> })}</p>
    </div>
  )
}
