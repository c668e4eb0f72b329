//! The first steps of a program in Rust: sign up, write a page, list pages and handle a refusal.

// The client, which the build script has generated.
include!(concat!(env!("OUT_DIR"), "/octavo.rs"));

use octavo::{
    ApiOpError, BatchOperation, BlockReply, CodeContentInput, ErrorDetailIssue, HttpClient, NewBlockBody, NewCodeBlock,
    NewCodeBlockContent, NewHeading2Block, NewHeading2BlockContent, NewTodoBlock, NewTodoBlockContent, RegisterBody,
    TodoPropertiesInput, UpdatePageApiError, UpsertOperation, UpsertOperationOp,
};
use std::{env, error::Error, time::SystemTime};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = env::var("OCTAVO_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let octavo = HttpClient::new().with_base_url(format!("{server}/api/v1"));

    // Sign up.
    let number = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    let account = RegisterBody {
        email: format!("ada.{number}@example.com"),
        name: "Ada Lovelace".to_owned(),
        password: "Correct-Horse-7".to_owned(),
    };
    let registered = octavo.register_user_builder(account).send().await?.data;
    let octavo = octavo.with_api_key(registered.access_token);

    // Create a page, and write its blocks with one call.
    let page = octavo.create_page_builder().title("Plan".to_owned()).send().await?.data;
    let blocks = [
        NewBlockBody::NewHeading2Block(NewHeading2Block {
            content: Some(NewHeading2BlockContent::String("Goals".to_owned())),
            ..NewHeading2Block::default()
        }),
        NewBlockBody::NewTodoBlock(NewTodoBlock {
            content: Some(NewTodoBlockContent::String("Ship it".to_owned())),
            properties: Some(Some(TodoPropertiesInput { checked: Some(Some(true)) })),
            ..NewTodoBlock::default()
        }),
        NewBlockBody::NewCodeBlock(NewCodeBlock {
            content: Some(NewCodeBlockContent::CodeContentInput(CodeContentInput {
                code: Some(Some("cargo run".to_owned())),
                language: Some(Some("bash".to_owned())),
            })),
            ..NewCodeBlock::default()
        }),
    ];
    let upsert = |block| BatchOperation::UpsertOperation(UpsertOperation { op: UpsertOperationOp::Upsert, block });
    let batch = octavo.batch_blocks_builder().page_id(page.id.clone()).ops(blocks.map(upsert).into()).send().await?;
    assert_eq!(batch.applied, 3);

    // Read them back: each type of block is a variant.
    let blocks = octavo.list_blocks_builder(&page.id).send().await?.data;
    let todos = blocks.iter().filter_map(|block| match &**block {
        BlockReply::TodoBlock(todo) => Some((todo.content.text.as_str(), todo.properties.checked)),
        _ => None,
    });
    assert_eq!(todos.collect::<Vec<_>>(), [("Ship it", Some(true))]);

    // List all pages, two at a time.
    for title in ["Notes", "Ideas"] {
        octavo.create_page_builder().title(title.to_owned()).send().await?;
    }
    let mut list = octavo.list_pages_builder().limit(2).send().await?;
    let mut titles: Vec<_> = list.data.into_iter().map(|page| page.title).collect();
    while let Some(cursor) = list.next_cursor {
        list = octavo.list_pages_builder().limit(2).cursor(&cursor).send().await?;
        titles.extend(list.data.into_iter().map(|page| page.title));
    }
    titles.sort();
    assert_eq!(titles, ["Ideas", "Notes", "Plan"]);

    // A change that is based on an old version is refused, and the details name the present one.
    let outdated = format!("\"{}\"", page.version);
    let refused = octavo.update_page_builder(&page.id).if_match(outdated).title("The plan".to_owned()).send().await;
    let Err(ApiOpError::Api(answer)) = refused else { panic!("{refused:?}") };
    let Some(UpdatePageApiError::Status409(refusal)) = answer.typed else { panic!("{answer:?}") };
    let details = refusal.error.details.unwrap_or_default();
    assert_eq!(details[0].issue, Some(ErrorDetailIssue::VersionMismatch));
    assert_eq!(details[0].expected, Some(batch.version));

    // The keys that verify what the server signs are found at the same address.
    let keys = octavo.get_key_set().await?.keys;
    println!("{} keys", keys.len());
    Ok(())
}
