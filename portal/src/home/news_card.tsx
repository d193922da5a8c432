// What happened since yesterday, in a few sentences that name people and lead to them.
import { BadgeCheck, Banknote, CalendarX, MessageSquare, Phone, UserPlus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { countOf } from '../data/sum_tiles.tsx'
import { Card, countText, Money, TextLink } from '../ui/index.ts'
import styles from './home.module.css'
import { linkOf, type Target } from './rows.tsx'
import type { Home } from './use_home.ts'

type News = Home['news']
type Leads = NonNullable<News['leadsCreated']>
type Invoices = NonNullable<News['paymentsReceived']>

const many = (count: number, one: string, several = `${one}s`) => `${countText(count)} ${count === 1 ? one : several}`

export function NewsCard({ news }: { news: News }) {
  const { leadsCreated, leadsWon, paymentsReceived, invoicesOverdue, textsReceived, calls } = news
  const items: ReactNode[] = [
    paymentsReceived !== null && paymentsReceived.sums.length > 0 && (
      <Item key="paid" icon={<Banknote size={16} />} title={<Sums {...paymentsReceived} word="received" />}>
        <InvoiceNames {...paymentsReceived} />
      </Item>
    ),
    leadsWon !== null && leadsWon.count > 0 && (
      <Item key="won" icon={<BadgeCheck size={16} />} title={`${many(leadsWon.count, 'lead')} won`}>
        <LeadNames {...leadsWon} />
      </Item>
    ),
    leadsCreated !== null && leadsCreated.count > 0 && (
      <Item key="leads" icon={<UserPlus size={16} />} title={many(leadsCreated.count, 'new lead')}>
        <LeadNames {...leadsCreated} />
      </Item>
    ),
    invoicesOverdue !== null && invoicesOverdue.sums.length > 0 && (
      <Item key="overdue" icon={<CalendarX size={16} />} title={<Sums {...invoicesOverdue} word="became overdue" />}>
        <InvoiceNames {...invoicesOverdue} />
      </Item>
    ),
    textsReceived !== null && textsReceived > 0 && (
      <Item key="texts" icon={<MessageSquare size={16} />} title={`${many(textsReceived, 'text')} received`} />
    ),
    calls !== null && calls > 0 && <Item key="calls" icon={<Phone size={16} />} title={many(calls, 'call')} />,
  ].filter(Boolean)
  return (
    <Card title="Since yesterday" flush className={styles['card']}>
      {items.length === 0 ? (
        <p className={styles['quiet']}>Quiet so far. What happens shows up here by itself.</p>
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

/** "Ada Lovelace, Grace Hopper and 4 more" */
function Names({ names, count }: { names: readonly { key: string; name: string; target: Target }[]; count: number }) {
  const rest = count - names.length
  return (
    <p className={styles['names']}>
      {names.map(({ key, name, target }, at) => (
        <Fragment key={key}>
          {at > 0 && (at === names.length - 1 && rest <= 0 ? ' and ' : ', ')}
          <TextLink {...linkOf(target)} dir="auto">
            {name}
          </TextLink>
        </Fragment>
      ))}
      {rest > 0 && ` and ${countText(rest)} more`}
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
function Sums({ sums, word }: Invoices & { word: string }) {
  const rest = sums.length - 2
  return (
    <>
      {sums.slice(0, 2).map(({ currency, amount }, at) => (
        <Fragment key={currency}>
          {at > 0 && (rest > 0 ? ', ' : ' and ')}
          <Money amount={amount} currency={currency} />
        </Fragment>
      ))}
      {rest > 0 && ` and ${many(rest, 'other currency', 'other currencies')}`}
      {` ${word}`}
    </>
  )
}
