// Domains of the organization: the row to copy into the DNS, and whether it is there.
import type { OrganizationDomain } from '@tandem/sdk'
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
import { InLiveMode } from '../session/shared.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { Button, Dialog, ErrorNote, StatusChip, TextField } from '../ui/index.ts'

const domains: Resource<OrganizationDomain> = {
  many: 'domains',
  about: 'At a verified domain the organization says who people are: by its identity provider, and by SCIM.',
  from: api => api.organizationDomains.list,
  id: 'domainId',
  nameOf: ({ domain }) => `the domain ${domain}`,
  columns: [
    { name: 'domain', label: 'Domain' },
    { name: 'status', label: 'State', px: 130, cell: ({ status }) => <StatusChip status={status} /> },
    { name: 'checkedAt', label: 'Looked up', kind: 'time' },
    { name: 'record', label: 'DNS', px: 130, hasControls: true, cell: domain => <RowButton domain={domain} /> },
  ],
  actions: {
    px: 110,
    needs: 'sso:manage',
    cell: ({ domainId, domain }) => (
      <RemoveButton
        many="domains"
        name={`the domain ${domain}`}
        text="People with addresses there log in with a password again, and SCIM makes nobody of them a member."
        remove={api => api.organizationDomains.delete({ domainId })}
      />
    ),
  },
  create: {
    label: 'Add a domain',
    needs: 'sso:manage',
    Form: DomainForm,
    saved: ({ domain }) => `${domain} was added. Copy its row into the DNS, then look it up.`,
  },
  empty: { title: 'No domain yet', text: 'Single sign-on and SCIM begin with a domain that is shown to be yours.' },
}

export const DomainsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={domains} />
  </InLiveMode>
)

function RowButton({ domain }: { domain: OrganizationDomain }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={`DNS row of ${domain.domain}`}
      onClick={() => show(onDone => <RowDialog domain={domain} onClose={onDone} />)}
    >
      Row
    </Button>
  )
}

function RowDialog({ domain, onClose }: { domain: OrganizationDomain; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [shown, setShown] = useState(domain)
  const verify = useMutation({
    mutationFn: () => api.organizationDomains.verify({ domainId: domain.domainId }),
    onSuccess: found => {
      setShown(found)
      void cache.invalidateQueries({ queryKey: [mode, 'domains'] })
    },
  })
  const { found, status } = shown
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={`DNS row of ${shown.domain}`}
      description="Copy this into the DNS of the domain, and leave it there: it is looked up every week. It may take hours until it is seen."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={verify.isPending} onClick={() => verify.mutate()}>
            Look up now
          </Button>
        </>
      }
    >
      {verify.error !== null && <ErrorNote text={verify.error.message} />}
      <p>
        <StatusChip status={status} />{' '}
        {found !== null &&
          status !== 'verified' &&
          (found.length === 0 ? 'Nothing is at that name.' : 'Something else is at that name.')}
      </p>
      <CodeBlock label="Name of the TXT row" code={shown.record.name} wrap />
      <CodeBlock label="Value of the TXT row" code={shown.record.value} wrap />
    </Dialog>
  )
}

function DomainForm({ onClose, onSaved }: CreateFormProps<OrganizationDomain>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ domain: '' })
  const add = useMutation({
    mutationFn: () => api.organizationDomains.create({ domain: values.domain.trim() }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'domains'] })
      onSaved(added)
    },
  })
  const { text, ...faults } = useFormFields({ values, change: setValues }, add.error, ['domain'])
  return (
    <FormDialog
      title="Add a domain"
      description="What stands behind the @ of your addresses. Subdomains are domains of their own."
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
