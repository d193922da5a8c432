// The due date of an invoice that waits for money, in the list: the day, and how far away it is.
import { Due } from '../data/due.tsx'
import { useOrganizationDay } from '../data/organization_day.tsx'
import { Day } from '../ui/index.ts'
import type { ListedInvoice } from './invoice_noun.ts'
import styles from './invoices.module.css'

export function DueCell({ due_date: date, status }: Pick<ListedInvoice, 'due_date' | 'status'>) {
  const today = useOrganizationDay()
  return (
    <span className={styles['due']}>
      <Day date={date} />
      <Due date={date} today={today} isOverdue={status === 'Overdue'} otherwise={null} />
    </span>
  )
}
