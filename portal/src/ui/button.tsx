// Buttons and links: everything that is pressed.
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Look = { variant?: ButtonVariant; size?: 'sm' | 'md'; icon?: ReactNode }

/** Joins class names, leaving out what is not said. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

function lookOf({ variant = 'secondary', size = 'md' }: Look, extra?: string): string {
  return classes(styles['button'], styles[variant], size === 'sm' && styles['sm'], extra)
}

export type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean }

/** `busy` shows a spinner and takes no press; the words stay, so that the width does, and so does the focus. */
export function Button({ variant, size, icon, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={lookOf({ variant, size }, className)}
      onClick={busy ? event => event.preventDefault() : onClick}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
    >
      {busy ? <span className={styles['spinner']} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: ReactNode }

/** A button that shows only a picture; `label` is its name and its tooltip. */
export function IconButton({ label, icon, variant = 'ghost', size, className, busy, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      aria-busy={busy || undefined}
      className={lookOf({ variant, size }, classes(styles['icon'], className))}
    >
      {icon}
    </button>
  )
}

function StyledAnchor({ variant, size, icon, className, children, ...rest }: ComponentProps<'a'> & Look) {
  return (
    <a {...rest} className={lookOf({ variant, size }, className)}>
      {icon}
      {children}
    </a>
  )
}
const CreatedButtonLink = createLink(StyledAnchor)
/** A link to a screen that looks like a button. */
export const ButtonLink: LinkComponent<typeof StyledAnchor> = props => <CreatedButtonLink preload="intent" {...props} />

function PlainAnchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a {...rest} className={classes(styles['textLink'], className)} />
}
const CreatedTextLink = createLink(PlainAnchor)
/** A link to a screen inside text or a table. */
export const TextLink: LinkComponent<typeof PlainAnchor> = props => <CreatedTextLink preload="intent" {...props} />
