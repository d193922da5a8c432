// What the lists of domains share: adding one, its rows to copy into the DNS, and looking them up.
import type { Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Dialog, ErrorNote, TextField } from '../ui/index.ts'
import { t } from './texts.ts'

export type DnsProps<Domain> = {
  domain: Domain
  /** The list it is in. */
  many: string
  /** As many as there are to copy. */
  rows: 'Row' | 'Rows'
  description: string
  /** The permission to look up; needed by all who see the list when not said. */
  needs?: string
  verify(api: Tandem): Promise<Domain>
  /** What there is to copy, of the domain as it was last looked up. */
  children(domain: Domain): ReactNode
}

const titleOf = (rows: 'Row' | 'Rows', { domain }: { domain: string }) =>
  t(rows === 'Row' ? 'recordOf' : 'recordsOf', { domain })

/** In a row of the list: opens what is to be copied. */
export function DnsButton<Domain extends { domain: string }>(props: DnsProps<Domain>) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={titleOf(props.rows, props.domain)}
      onClick={() => show(onDone => <DnsDialog {...props} onClose={onDone} />)}
    >
      {t(props.rows === 'Row' ? 'record' : 'records')}
    </Button>
  )
}

function DnsDialog<Domain extends { domain: string }>(props: DnsProps<Domain> & { onClose(): void }) {
  const { domain, many, rows, description, needs, onClose } = props
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [shown, setShown] = useState(domain)
  const verify = useMutation({
    mutationFn: () => props.verify(api),
    onSuccess: found => {
      setShown(found)
      void cache.invalidateQueries({ queryKey: [mode, many] })
    },
  })
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={titleOf(rows, shown)}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          {(needs === undefined || permissions.has(needs)) && (
            <Button variant="primary" busy={verify.isPending} onClick={() => verify.mutate()}>
              {t('lookUp')}
            </Button>
          )}
        </>
      }
    >
      {verify.error !== null && <ErrorNote text={faultText(verify.error)} />}
      {props.children(shown)}
    </Dialog>
  )
}

/** One row: its name and its value, each to be copied. */
export function DnsRow({ of, name, value }: { of: string; name: string; value: string }) {
  return (
    <div className={record['blocks']}>
      <CodeBlock label={t('recordName', { of })} code={name} wrap />
      <CodeBlock label={t('recordValue', { of })} code={value} wrap />
    </div>
  )
}

export type AddDomainProps<Domain> = {
  many: string
  title: string
  description: string
  add(api: Tandem, domain: string): Promise<Domain>
  onClose(): void
  onSaved(made: Domain): void
}

export function AddDomain<Domain>({ many, title, description, onClose, onSaved, ...props }: AddDomainProps<Domain>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ domain: '' })
  const add = useMutation({
    mutationFn: () => props.add(api, values.domain.trim()),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, many] })
      onSaved(added)
    },
  })
  const { text, ...faults } = useFormFields({ values, change: setValues }, add.error, ['domain'])
  return (
    <FormDialog
      title={title}
      description={description}
      className={record['form']}
      faults={faults}
      action={t('addAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label={t('domain')} className={record['wide']} placeholder={examples.domain} {...text('domain')} />
    </FormDialog>
  )
}
