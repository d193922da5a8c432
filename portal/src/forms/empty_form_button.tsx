// Throws away what was typed into a form and not sent, and begins again in its first field.
import type { RefObject } from 'react'
import record from '../data/record.module.css'
import { Button } from '../ui/index.ts'
import { t } from './texts.ts'

export type EmptyFormButtonProps = {
  draft: { isDirty: boolean; forget(): void }
  request: { isPending: boolean; reset(): void }
  form: RefObject<HTMLFormElement | null>
  /** "Clear the form" when not said. */
  label?: string
}

/** Stands only where there is something to throw away and nothing on its way. */
export function EmptyFormButton({ draft, request, form, label = t('empty') }: EmptyFormButtonProps) {
  if (!draft.isDirty || request.isPending) return null
  return (
    <Button
      variant="ghost"
      className={record['aside']}
      onClick={() => {
        draft.forget()
        request.reset()
        form.current?.querySelector('input')?.focus()
      }}
    >
      {label}
    </Button>
  )
}
