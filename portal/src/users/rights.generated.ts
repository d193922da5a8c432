// Made by `npm run generate` of the server's permissions; not to be changed by hand.
export const rights: readonly { permission: string; allows: string; roles: readonly string[] }[] = [
  {
    "permission": "profile:read",
    "allows": "See your own name, role and rights.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "profile:update",
    "allows": "Change your own profile, password, second factors and sessions.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "users:read",
    "allows": "List and read the users of the organization.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Finance Manager"
    ]
  },
  {
    "permission": "users:manage",
    "allows": "Create users, change their roles, disable them.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "roles:manage",
    "allows": "Make, change and delete the organization's own roles.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "teams:read",
    "allows": "List and read teams and who is in them.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "teams:manage",
    "allows": "Make, change and delete teams, and say who is in them.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:transfer",
    "allows": "Hand the ownership of the organization over, or take it over.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:read",
    "allows": "Read the organization's settings.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "organization:export",
    "allows": "Have all that the organization has put into one archive.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:close",
    "allows": "Close the organization, and take that back; its owner alone.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "organization:update",
    "allows": "Change the organization's settings.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "security:manage",
    "allows": "See and change what the organization asks of logins.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "sso:manage",
    "allows": "Set up single sign-on: domains and identity providers.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "scim:manage",
    "allows": "Keep members and their roles by SCIM; a key for an identity provider has this scope alone.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:read",
    "allows": "See the audit log: who did what, from where, with what, before and after.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:manage",
    "allows": "Decide how long the audit log is kept, erase names from it, and send it on.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "audit:export",
    "allows": "Export the audit log.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "keys:read",
    "allows": "List API keys (an Admin sees all, others their own).",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "keys:manage",
    "allows": "Create, rotate and revoke API keys (never with more rights than one holds).",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "apps:read",
    "allows": "See the apps of the organization, the clients it met, and all authorizations people gave them.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "apps:manage",
    "allows": "Register apps, change and delete them, make their secrets, decide on clients of others.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "companies:read",
    "allows": "List and read companies.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "companies:create",
    "allows": "Create companies.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "companies:update",
    "allows": "Change companies.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "companies:delete",
    "allows": "Delete, restore and merge companies.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "contacts:read",
    "allows": "List and read contacts.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "contacts:create",
    "allows": "Create contacts.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "contacts:update",
    "allows": "Change contacts.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "contacts:delete",
    "allows": "Delete, restore and merge contacts.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "leads:read",
    "allows": "List and read leads.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:create",
    "allows": "Create leads.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:update",
    "allows": "Change leads.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "leads:delete",
    "allows": "Delete, restore and merge leads.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "notes:read",
    "allows": "List and read notes.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "notes:create",
    "allows": "Create notes.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "notes:update",
    "allows": "Change notes.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "notes:delete",
    "allows": "Delete, restore and merge notes.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tasks:read",
    "allows": "List and read tasks.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tasks:create",
    "allows": "Create tasks.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tasks:update",
    "allows": "Change tasks.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tasks:delete",
    "allows": "Delete, restore and merge tasks.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:read",
    "allows": "List and read attachments.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "attachments:create",
    "allows": "Create attachments.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:update",
    "allows": "Change attachments.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "attachments:delete",
    "allows": "Delete, restore and merge attachments.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tags:read",
    "allows": "List and read tags.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "tags:create",
    "allows": "Create tags.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "tags:update",
    "allows": "Change tags.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "tags:delete",
    "allows": "Delete, restore and merge tags.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "tags:assign",
    "allows": "Put tags on records that one may change, and take them off.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "views:read",
    "allows": "List and read own saved views, and those shared with the organization.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "views:write",
    "allows": "Create saved views and share them, change and delete own ones (a Sales Manager: shared ones too).",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "imports:read",
    "allows": "List and read own imports; a Sales Manager and an Admin those of all.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "imports:run",
    "allows": "Import files of records, as far as one may create and change these.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "batches:read",
    "allows": "Read own batches: changes of many records at once; a Sales Manager and an Admin those of all.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "batches:revert",
    "allows": "Take batches and imports back, as far as one may change and delete their records.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "invoices:read",
    "allows": "List and read invoices, audit their numbers.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:create",
    "allows": "Create draft invoices.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:update",
    "allows": "Change invoices.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:send",
    "allows": "Issue and send invoices.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "invoices:cancel",
    "allows": "Cancel invoices.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "payments:create",
    "allows": "Record payments on invoices.",
    "roles": [
      "Admin",
      "Finance Manager"
    ]
  },
  {
    "permission": "messages:send",
    "allows": "Send messages.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "messages:read",
    "allows": "List and read messages.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "messages:manage",
    "allows": "Create and change messaging services; add opt-outs.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "messages:erase",
    "allows": "Take away for good: the text of messages, messaging services, opt-outs.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "numbers:read",
    "allows": "List and read numbers and sender ids.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "numbers:manage",
    "allows": "Add, change and release numbers and sender ids.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:read",
    "allows": "List and read mails and how mail is set up; Sales Executives see the mails that they had sent. What opens something, such as a reset, needs mail:manage.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "mail:send",
    "allows": "Send mails, take them back, and send them again.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "mail:receive",
    "allows": "Hand in mail as it arrived: what people wrote, and bounces and complaints, which may stop further mail to an address.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:manage",
    "allows": "Set mail up: templates, senders, domains, transports and suppressions. Read mails that open something.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:erase",
    "allows": "Delete mails, and let suppressed recipients get mail again.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "mail:assign",
    "allows": "Put mails that came in on leads and contacts, and set them aside; those on records that one does not see are hidden.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "conversations:read",
    "allows": "Read the shared inbox: conversations with leads and contacts that one sees, those with unknown senders that nobody else has, and those that one is assigned to or mentioned in.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "conversations:write",
    "allows": "Assign, snooze, close and answer conversations, and write notes in them.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "carriers:read",
    "allows": "List and read carriers and the state of their links.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "carriers:manage",
    "allows": "Add, change, test and remove carriers.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "trunks:read",
    "allows": "List and read trunks and their states.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "trunks:manage",
    "allows": "Add, change, test and remove trunks.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "destinations:read",
    "allows": "Read the destination policies; ask whether a number may be called or texted.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "destinations:manage",
    "allows": "Change the destination policies: which numbers are called and texted, and how much a day.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "sip_credentials:read",
    "allows": "List SIP credentials and the phones that are registered with them.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "sip_credentials:manage",
    "allows": "Add, change and remove SIP credentials.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "calls:create",
    "allows": "Start calls.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "calls:read",
    "allows": "List and read calls.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "calls:control",
    "allows": "Steer and end calls that are under way, and say what came of them.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "phone:use",
    "allows": "Make and take calls with a phone in the browser.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive"
    ]
  },
  {
    "permission": "recordings:read",
    "allows": "List, read and hear recordings of calls.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "recordings:delete",
    "allows": "Delete recordings of calls.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "requests:read",
    "allows": "Read the log of API requests.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "events:read",
    "allows": "Read the log of events.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Finance Manager"
    ]
  },
  {
    "permission": "webhooks:read",
    "allows": "List and read webhooks and what was delivered to them.",
    "roles": [
      "Admin",
      "Sales Manager"
    ]
  },
  {
    "permission": "webhooks:manage",
    "allows": "Add, change, test and remove webhooks; deliver events again.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "playground:read",
    "allows": "Read environments and collections of requests: own ones, and those shared with the organization.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "playground:write",
    "allows": "Keep private environments and collections of requests in the Playground.",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  },
  {
    "permission": "playground:share",
    "allows": "With playground:write: share environments and collections with the organization, and change shared ones.",
    "roles": [
      "Admin"
    ]
  },
  {
    "permission": "usage:read",
    "allows": "See how much of the API, of messages and of calls was used (a Sales Executive: own API requests).",
    "roles": [
      "Admin",
      "Sales Manager",
      "Sales Executive",
      "Finance Manager"
    ]
  }
]
