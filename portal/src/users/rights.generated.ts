// Made by `npm run generate` of the server's permissions; not to be changed by hand.
export const rights: readonly { permission: string; roles: readonly string[] }[] = [
  {
    "permission": "profile:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "profile:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "users:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Finance Manager"
    ]
  },
  {
    "permission": "users:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "roles:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "teams:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "teams:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:transfer",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "organization:export",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:close",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:update",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "security:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "sso:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "scim:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:read",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:export",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "retention:update",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "privacy_requests:read",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "privacy_requests:create",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "legal_holds:read",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "legal_holds:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "keys:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "keys:manage",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "apps:read",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "apps:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "companies:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "companies:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "companies:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "companies:delete",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "contacts:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "contacts:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "contacts:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "contacts:delete",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "leads:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:delete",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "notes:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "notes:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "notes:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "notes:delete",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tasks:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tasks:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tasks:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tasks:delete",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "attachments:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:update",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:delete",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tags:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tags:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tags:update",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "tags:delete",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "tags:assign",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "views:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "views:write",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "imports:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "imports:run",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "batches:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "batches:revert",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "invoices:read",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:create",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:update",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:send",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:cancel",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "payments:create",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "payments:reverse",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "messages:send",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "messages:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "messages:manage",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "messages:erase",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "numbers:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "numbers:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "mail:send",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "mail:receive",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:erase",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:assign",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "conversations:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "conversations:write",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "carriers:read",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "carriers:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "trunks:read",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "trunks:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "destinations:read",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "destinations:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "sip_credentials:read",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "sip_credentials:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "calls:create",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "calls:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "calls:control",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "phone:use",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "recordings:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "recordings:delete",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "requests:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "stream:open",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "events:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Finance Manager"
    ]
  },
  {
    "permission": "webhooks:read",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "webhooks:manage",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "playground:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "playground:write",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "playground:share",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "usage:read",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "status:read",
    "roles": [
      "Admin"
    ]
  }
]
