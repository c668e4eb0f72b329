"""The first steps of a program in Python: sign up, write a page, list pages and handle a refusal."""

import os
import time

from octavo_client import AuthenticatedClient, Client
from octavo_client.api.accounts import register_user
from octavo_client.api.blocks import batch_blocks, list_blocks
from octavo_client.api.discovery import get_key_set
from octavo_client.api.events import list_events
from octavo_client.api.page_versions import compare_page_versions, create_page_version
from octavo_client.api.pages import create_page, list_pages, update_page
from octavo_client.models import (
    BatchBody,
    CodeContentInput,
    Error,
    ErrorDetailIssue,
    NewCodeBlock,
    NewHeading2Block,
    NewPageBody,
    NewTodoBlock,
    NewVersionBody,
    PageBody,
    PageCreatedData,
    RegisterBody,
    RegisterUserResponse201,
    TodoBlock,
    TodoPropertiesInput,
    UpsertOperation,
    UpsertOperationOp,
)

base = os.environ.get("OCTAVO_URL", "http://127.0.0.1:8080") + "/api/v1"


def succeeded(answer):
    """The answer of a call that must succeed."""
    if isinstance(answer, Error):
        raise SystemExit(f"The call was refused: {answer.error.message}")
    assert answer is not None, "the answer is not in the description"
    return answer


# Sign up.
account = RegisterBody(email=f"ada.{time.time_ns()}@example.com", name="Ada Lovelace", password="Correct-Horse-7")
registered = succeeded(register_user.sync(client=Client(base), body=account))
if not isinstance(registered, RegisterUserResponse201):
    # The server conceals which addresses have an account.
    raise SystemExit("Follow the link in the mail, then sign in.")
octavo = AuthenticatedClient(base, token=registered.data.access_token)

# Create a page, and write its blocks with one call.
page = succeeded(create_page.sync(client=octavo, body=NewPageBody(title="Plan"))).data
blocks = [
    NewHeading2Block(type_="heading_2", content="Goals"),
    NewTodoBlock(type_="todo", content="Ship it", properties=TodoPropertiesInput(checked=True)),
    NewCodeBlock(type_="code", content=CodeContentInput(code="cargo run", language="bash")),
]
ops = [UpsertOperation(op=UpsertOperationOp.UPSERT, block=block) for block in blocks]
batch = succeeded(batch_blocks.sync(client=octavo, body=BatchBody(page_id=page.id, ops=ops)))
assert batch.applied == 3, batch

# Read them back: each type of block has a class.
shown = succeeded(list_blocks.sync(page.id, client=octavo)).data
todos = [block for block in shown if isinstance(block, TodoBlock)]
assert [(todo.content.text, todo.properties.checked) for todo in todos] == [("Ship it", True)], todos

# List all pages, two at a time.
for title in ("Notes", "Ideas"):
    succeeded(create_page.sync(client=octavo, body=NewPageBody(title=title)))
found = succeeded(list_pages.sync(client=octavo, limit=2))
titles = [page.title for page in found.data]
while found.next_cursor:
    found = succeeded(list_pages.sync(client=octavo, limit=2, cursor=found.next_cursor))
    titles += [page.title for page in found.data]
assert sorted(titles) == ["Ideas", "Notes", "Plan"], titles

# A change that is based on an old version is refused, and the details name the present one.
rename = PageBody(title="The plan")
refused = update_page.sync(page.id, client=octavo, body=rename, if_match=f'"{page.version}"')
assert isinstance(refused, Error), refused
[detail] = refused.error.details
assert detail.issue == ErrorDetailIssue.VERSION_MISMATCH, detail
assert detail.expected == batch.version, detail

# Keep a version, change the page, and compare.
version = succeeded(create_page_version.sync(page.id, client=octavo, body=NewVersionBody())).data
succeeded(update_page.sync(page.id, client=octavo, body=rename, if_match=f'"{detail.expected}"'))
difference = succeeded(compare_page_versions.sync(page.id, version.id, client=octavo)).data
title = difference.fields.title
assert (title.before, title.after) == ("Plan", "The plan"), difference

# Read the event log, in which an event appears within a second. The data of each type of event has a class.
while not (events := succeeded(list_events.sync(client=octavo, page_id=page.id, types="page.created")).data):
    time.sleep(0.1)
created = PageCreatedData.from_dict(events[0].data.to_dict())
assert (created.page_id, created.title) == (page.id, "Plan"), created

# The keys that verify what the server signs are found at the same address.
assert isinstance(succeeded(get_key_set.sync(client=octavo)).keys, list)
