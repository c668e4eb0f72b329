// The first steps of a program in TypeScript: sign up, write a page, list pages and handle a refusal.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './octavo.js'

type Schemas = components['schemas']
type Refusal = Schemas['Error']

const server = process.env['OCTAVO_URL'] ?? 'http://127.0.0.1:8080'
const octavo = createClient<paths>({ baseUrl: `${server}/api/v1` })

/** The answer of a call that must succeed. */
function succeeded<Answer>(call: { data?: Answer; error?: unknown; response: Response }): Answer {
  if (call.data === undefined) throw new Error(`${call.response.status}: ${JSON.stringify(call.error)}`)
  return call.data
}

// Sign up.
const registered = succeeded(
  await octavo.POST('/auth/register', {
    body: { email: `ada.${Date.now()}@example.com`, name: 'Ada Lovelace', password: 'Correct-Horse-7' },
  }),
).data
// A server that conceals which addresses have an account only mails a link.
if (!('accessToken' in registered)) throw new Error('Follow the link in the mail, then sign in.')
octavo.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${registered.accessToken}`)
  },
})

// Create a page, and write its blocks with one call.
const { data: page } = succeeded(await octavo.POST('/pages', { body: { title: 'Plan' } }))
const batch = succeeded(
  await octavo.POST('/blocks/batch', {
    body: {
      pageId: page.id,
      ops: [
        { op: 'upsert', block: { type: 'heading_2', content: 'Goals' } },
        { op: 'upsert', block: { type: 'todo', content: 'Ship it', properties: { checked: true } } },
        { op: 'upsert', block: { type: 'code', content: { code: 'cargo run', language: 'bash' } } },
      ],
    },
  }),
)
assert.equal(batch.applied, 3)

// Read them back: `type` determines which content and properties a block has.
const { data: blocks } = succeeded(
  await octavo.GET('/pages/{pageId}/blocks', { params: { path: { pageId: page.id } } }),
)
const todos = blocks.filter((block) => block.type === 'todo')
assert.deepEqual(
  todos.map(({ content, properties }) => [content.text, properties.checked]),
  [['Ship it', true]],
)

// List all pages, two at a time.
for (const title of ['Notes', 'Ideas']) succeeded(await octavo.POST('/pages', { body: { title } }))
const titles: string[] = []
let cursor: string | null | undefined
do {
  const query = cursor ? { cursor, limit: 2 } : { limit: 2 }
  const list = succeeded(await octavo.GET('/pages', { params: { query } }))
  titles.push(...list.data.map((page) => page.title))
  cursor = list.nextCursor
} while (cursor)
assert.deepEqual(titles.toSorted(), ['Ideas', 'Notes', 'Plan'])

// A change that is based on an old version is refused, and the details name the present one.
const { error: outdated } = await octavo.PATCH('/pages/{pageId}', {
  params: { path: { pageId: page.id }, header: { 'If-Match': `"${page.version}"` } },
  body: { title: 'The plan' },
})
assert.equal(presentVersion(outdated), batch.version)

function presentVersion(refusal: Refusal | undefined): number | undefined {
  return refusal?.error.details?.find((detail) => detail.issue === 'version_mismatch')?.expected
}

// The details of an invalid call name each field, what is wrong with it, and what would have been right.
const { error: invalid } = await octavo.POST('/pages', { body: { parentId: 'not an id' } })
const [cause] = invalid?.error.details ?? []
assert.deepEqual([cause?.field, cause?.issue], ['parentId', 'invalid_id'])
assert.match(page.id, new RegExp(cause?.pattern ?? 'none'))

// Read the event log, in which an event appears within a second. `type` determines which schema `data` has.
let event: Schemas['EventReply'] | undefined
while (event === undefined) {
  await setTimeout(100)
  const query = { pageId: page.id, types: 'page.created' }
  event = succeeded(await octavo.GET('/events', { params: { query } })).data[0]
}
const created = event.data as Schemas['PageCreatedData']
assert.deepEqual([created.pageId, created.title], [page.id, 'Plan'])

// The keys that verify what the server signs are found at the same address.
const { keys } = succeeded(await octavo.GET('/.well-known/jwks.json'))
assert.ok(Array.isArray(keys))
