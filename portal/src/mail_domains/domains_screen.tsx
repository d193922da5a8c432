// Mail domains: rows to copy into the DNS, and whether they are there.
import type { MailDomain } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { Button, Chip, Dialog, ErrorNote, StatusChip, TextField } from '../ui/index.ts'

const domains: Resource<MailDomain> = {
  many: 'mail domains',
  about: 'Domains that mails are from. Each has a DKIM key; no mail of it leaves unsigned.',
  from: api => api.mailDomains.list,
  id: 'domainId',
  nameOf: ({ domain }) => `the domain ${domain}`,
  columns: [
    { name: 'domain', label: 'Domain' },
    { name: 'status', label: 'State', px: 130, cell: ({ status }) => <StatusChip status={status} /> },
    { name: 'checkedAt', label: 'Looked up', kind: 'time' },
    { name: 'records', label: 'DNS', px: 130, hasControls: true, cell: domain => <RecordsButton domain={domain} /> },
  ],
  actions: {
    px: 110,
    needs: 'mail:manage',
    cell: ({ domainId, domain }) => (
      <RemoveButton
        many="mail domains"
        name={`the domain ${domain}`}
        text="Its mails are sent unsigned from now on. Take its rows out of the DNS."
        remove={api => api.mailDomains.delete({ domainId })}
      />
    ),
  },
  create: {
    label: 'Add a domain',
    needs: 'mail:manage',
    Form: DomainForm,
    saved: ({ domain }) => `${domain} has a key. Copy its rows into the DNS.`,
  },
  empty: { title: 'No domain yet', text: 'Mails are sent unsigned, and many mailboxes take them for unwanted.' },
}

export const MailDomainsScreen = () => <ResourceScreen of={domains} />

function RecordsButton({ domain }: { domain: MailDomain }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={`DNS rows of ${domain.domain}`}
      onClick={() => show(onDone => <RecordsDialog domain={domain} onClose={onDone} />)}
    >
      Rows
    </Button>
  )
}

function RecordsDialog({ domain, onClose }: { domain: MailDomain; onClose(): void }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [shown, setShown] = useState(domain)
  const verify = useMutation({
    mutationFn: () => api.mailDomains.verify({ domainId: domain.domainId }),
    onSuccess: found => {
      setShown(found)
      void cache.invalidateQueries({ queryKey: [mode, 'mail domains'] })
    },
  })
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={`DNS rows of ${shown.domain}`}
      description="Copy these into the DNS of the domain, then look them up. It may take hours until they are seen everywhere."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {permissions.has('mail:manage') && (
            <Button variant="primary" busy={verify.isPending} onClick={() => verify.mutate()}>
              Look up now
            </Button>
          )}
        </>
      }
    >
      {verify.error !== null && <ErrorNote text={verify.error.message} />}
      {shown.records.map(({ type, name, value, purpose, isRequired, isThere }) => (
        <section key={name} aria-label={`${purpose} row`}>
          <h3>
            {purpose} <Chip>{type}</Chip> {isRequired ? 'needed' : 'recommended'}{' '}
            {isThere !== null && <Chip tone={isThere ? 'ok' : 'warn'}>{isThere ? 'there' : 'not there'}</Chip>}
          </h3>
          <CodeBlock label={`Name of the ${purpose} row`} code={name} wrap />
          <CodeBlock label={`Value of the ${purpose} row`} code={value} wrap />
        </section>
      ))}
    </Dialog>
  )
}

function DomainForm({ onClose, onSaved }: CreateFormProps<MailDomain>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ domain: '' })
  const add = useMutation({
    mutationFn: () => api.mailDomains.create({ domain: values.domain.trim() }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail domains'] })
      onSaved(added)
    },
  })
  const { text, ...faults } = useFormFields({ values, change: setValues }, add.error, ['domain'])
  return (
    <FormDialog
      title="Add a mail domain"
      description="A key is made for it. From then on its mails are signed."
      className={record['form']}
      faults={faults}
      action="Add"
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label="Domain" className={record['wide']} placeholder="example.com" {...text('domain')} />
    </FormDialog>
  )
}
