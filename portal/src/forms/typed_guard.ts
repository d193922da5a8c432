// Whether somebody has changed what a form holds, by the fields it shows: whatever its values are kept in, and however they are chosen.
// What it began with is looked at when the first key or press comes, for some values come a moment after the form.
import { useRef } from 'react'

/** What the fields of a form say, as one text to compare. */
function stateOf(form: HTMLElement): string {
  const fields = form.querySelectorAll<HTMLElement>(
    'input, select, textarea, [contenteditable], [aria-pressed], [aria-checked]',
  )
  return JSON.stringify(
    Array.from(fields, field => {
      if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) return field.checked
      if ('value' in field && !(field instanceof HTMLButtonElement)) return field.value
      return field.getAttribute('aria-pressed') ?? field.getAttribute('aria-checked') ?? field.textContent
    }),
  )
}

/** @returns `watch`, the props of the form, and `isChanged`, to be asked when it would close */
export function useTypedGuard() {
  const form = useRef<HTMLElement>(null)
  const begun = useRef<string>(null)
  const isTouched = useRef(false)
  const look = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    form.current = currentTarget
    begun.current ??= stateOf(currentTarget)
  }
  const touch = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    form.current = currentTarget
    isTouched.current = true
  }
  return {
    watch: {
      onKeyDownCapture: look,
      onPointerDownCapture: look,
      onInputCapture: touch,
      onChangeCapture: touch,
      onClickCapture: touch,
    },
    // What came without a key or a press, as from a password manager, has no beginning to compare with.
    isChanged: () =>
      isTouched.current &&
      form.current?.isConnected === true &&
      (begun.current === null || stateOf(form.current) !== begun.current),
  }
}
