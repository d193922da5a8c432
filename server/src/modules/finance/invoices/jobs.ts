// Rolls the calendars of all tenants, so that an invoice going overdue is reported within a quarter of an hour of midnight in
// the organization's time zone. No read depends on it.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { dateIn } from '../../../kernel/values/clock.ts'
import { listCalendars, rollCalendar } from './calendar_store.ts'

export const rollInvoiceCalendars: JobMaker = services => ({
  name: 'roll_invoice_calendars',
  cron: '*/15 * * * *',
  async run() {
    const { db, clock, log } = services
    const calendars = await listCalendars(db)
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
