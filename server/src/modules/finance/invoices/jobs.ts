// Rolls the calendars of all tenants, so that an invoice going overdue is told within a quarter of an hour of midnight in
// the organization's time zone. No read depends on it.
import type { JobMaker } from '../../../kernel/background.ts'
import { dateIn } from '../../../kernel/clock.ts'
import { rollCalendar } from './calendar.ts'

type CalendarRow = { organization_id: number; tenant_id: number; time_zone: string; as_of: string }

export const rollInvoiceCalendars: JobMaker = services => ({
  name: 'roll_invoice_calendars',
  cron: '*/15 * * * *',
  async run() {
    const { db, clock, log } = services
    const calendars = await db.call<CalendarRow>('invoice_calendars', 'select * from invoice_calendars()', [])
    for (const { organization_id, tenant_id, time_zone, as_of } of calendars) {
      if (dateIn(time_zone, clock.now()) === as_of) continue
      try {
        await rollCalendar(services, { organizationId: organization_id, tenantId: tenant_id })
      } catch (error) {
        // One tenant's trouble must not keep the others from theirs; the next run tries again.
        log.error({ err: error, tenantId: tenant_id }, 'rolling an invoice calendar failed')
      }
    }
  },
})
