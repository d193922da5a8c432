// What happened since yesterday, in a few sentences that name people and lead to them.
import { BadgeCheck, Banknote, CalendarX, MessageSquare, Phone, UserPlus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { countOf } from '../data/sum_tiles.tsx'
import { Card, Money, TextLink } from '../ui/index.ts'
import { listParts } from '../words/format.ts'
import styles from './home.module.css'
import { linkOf, type Target } from './rows.tsx'
import { t } from './texts.ts'
import type { Home } from './use_home.ts'

type News = Home['news']
type Leads = NonNullable<News['leadsCreated']>
type Invoices = NonNullable<News['paymentsReceived']>

export function NewsCard({ news }: { news: News }) {
  const { leadsCreated, leadsWon, paymentsReceived, invoicesOverdue, textsReceived, calls } = news
  const items: ReactNode[] = [
    paymentsReceived !== null && paymentsReceived.sums.length > 0 && (
      <Item
        key="paid"
        icon={<Banknote size={16} />}
        title={t.rich('news.paid', { sums: () => <Sums {...paymentsReceived} /> })}
      >
        <InvoiceNames {...paymentsReceived} />
      </Item>
    ),
    leadsWon !== null && leadsWon.count > 0 && (
      <Item key="won" icon={<BadgeCheck size={16} />} title={t('news.won', { count: leadsWon.count })}>
        <LeadNames {...leadsWon} />
      </Item>
    ),
    leadsCreated !== null && leadsCreated.count > 0 && (
      <Item key="leads" icon={<UserPlus size={16} />} title={t('news.leads', { count: leadsCreated.count })}>
        <LeadNames {...leadsCreated} />
      </Item>
    ),
    invoicesOverdue !== null && invoicesOverdue.sums.length > 0 && (
      <Item
        key="overdue"
        icon={<CalendarX size={16} />}
        title={t.rich('news.overdue', { sums: () => <Sums {...invoicesOverdue} /> })}
      >
        <InvoiceNames {...invoicesOverdue} />
      </Item>
    ),
    textsReceived !== null && textsReceived > 0 && (
      <Item key="texts" icon={<MessageSquare size={16} />} title={t('news.texts', { count: textsReceived })} />
    ),
    calls !== null && calls > 0 && (
      <Item key="calls" icon={<Phone size={16} />} title={t('news.calls', { count: calls })} />
    ),
  ].filter(Boolean)
  return (
    <Card title={t('news')} flush className={styles['card']}>
      {items.length === 0 ? (
        <p className={styles['quiet']}>{t('newsNone')}</p>
      ) : (
        <ul className={styles['news']}>{items}</ul>
      )}
    </Card>
  )
}

function Item({ icon, title, children }: { icon: ReactNode; title: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      <div>
        <span className={styles['headline']}>{title}</span>
        {children}
      </div>
    </li>
  )
}

/** As a list in a sentence. */
const Listed = ({ nodes }: { nodes: readonly ReactNode[] }) =>
  listParts(nodes.length).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
    <Fragment key={at}>{typeof part === 'number' ? nodes[part] : part}</Fragment>
  ))

/** "Ada Lovelace, Grace Hopper, and 4 more" */
function Names({ names, count }: { names: readonly { key: string; name: string; target: Target }[]; count: number }) {
  const rest = count - names.length
  const links = names.map(({ key, name, target }) => (
    <TextLink key={key} {...linkOf(target)} dir="auto">
      {name}
    </TextLink>
  ))
  return (
    <p className={styles['names']}>
      <Listed nodes={rest > 0 ? [...links, t('more', { count: rest })] : links} />
    </p>
  )
}

function LeadNames({ count, items }: Leads) {
  const names = items.map(({ leadId, name }) => ({
    key: String(leadId),
    name,
    target: { to: '/leads/$id', params: { id: String(leadId) } },
  }))
  return <Names names={names} count={count} />
}

function InvoiceNames({ sums, items }: Invoices) {
  const names = items.map(({ invoiceId, customer }, at) => ({
    key: `${invoiceId} ${at}`,
    name: customer,
    target: { to: '/invoices/$id', params: { id: String(invoiceId) } },
  }))
  return <Names names={names} count={countOf(sums)} />
}

/** The two currencies with the most of it by name. */
function Sums({ sums }: Invoices) {
  const rest = sums.length - 2
  const named = sums
    .slice(0, 2)
    .map(({ currency, amount }) => <Money key={currency} amount={amount} currency={currency} />)
  return <Listed nodes={rest > 0 ? [...named, t('moreCurrencies', { count: rest })] : named} />
}
