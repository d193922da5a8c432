// The numbers of a person, each with the way to call it by the phone of the portal.
import { CallButton } from '../../softphone/phone_button.tsx'
import own from './composer.module.css'
import type { ComposerProps } from './composing.ts'
import { t } from './texts.ts'

export function CallPanel({ recordId, name, phones, leadId }: ComposerProps & { onDone(): void }) {
  return (
    <div className={own['panel']}>
      <ul className={own['numbers']} aria-label={t('numbers')}>
        {phones.map(phone => (
          <li key={phone}>
            <CallButton
              to={phone}
              name={name}
              recordId={recordId}
              {...(leadId !== undefined && { leadId })}
              variant="primary"
            />
          </li>
        ))}
      </ul>
      <p className={own['hint']}>{t('callHint')}</p>
    </div>
  )
}
