// Invoices: their list, and the board on which they move by what is done with them.
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { NounList } from '../nouns/list.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { DueCell } from './due_cell.tsx'
import { actionsOf, actionTo, type InvoiceAction, invoiceOf, invoices, isOpen } from './invoice_noun.ts'
import { ActionDialog, CreateInvoice, EditInvoice, NumberCheck } from './later.ts'
import { InvoiceTotals } from './list_totals.tsx'
import { t } from './texts.ts'

export function InvoicesScreen() {
  const { permissions } = useSession()
  const [moved, setMoved] = useState<{ record: NounRecord; action: InvoiceAction }>()
  const [checks, setChecks] = useState(false)
  return (
    <>
      <NounList
        noun={invoices}
        description={t('about')}
        actions={
          <Button icon={<ListChecks size={14} />} onClick={() => setChecks(true)}>
            {t('check')}
          </Button>
        }
        summary={filters => <InvoiceTotals filters={filters} />}
        cell={(field, record) =>
          field.name === 'due_date' && isOpen(invoiceOf(record)) ? <DueCell {...invoiceOf(record)} /> : undefined
        }
        createForm={CreateInvoice}
        editForm={EditInvoice}
        mayMove={(record, to) => {
          const action = actionTo[to]
          return action !== undefined && actionsOf(invoiceOf(record), permissions)[action]
        }}
        onMove={(record, to) => {
          const action = actionTo[to]
          if (action !== undefined) setMoved({ record, action })
          return true
        }}
      />
      {checks && <NumberCheck onClose={() => setChecks(false)} />}
      {moved !== undefined && (
        <ActionDialog action={moved.action} invoice={invoiceOf(moved.record)} onClose={() => setMoved(undefined)} />
      )}
    </>
  )
}
