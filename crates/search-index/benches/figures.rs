//! How fast an index of 100,000 pages with 1,000,000 blocks is made, how large it is, and how fast it answers.
//!
//! `cargo bench -p octavo-search-index [-- UNITS]`
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints figures")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "figures")]

use octavo_core_model::{
    Timestamp,
    cancellation::Cancellation,
    id::{BlockId, PageId, UserId, WorkspaceId},
};
use octavo_ports::search::{
    Look, NodeFilter, NodeKey, Order, Place, SearchIndex, TextPlace, TimeRange, Unit, UnitChanges, UnitKey, UnitKind,
    UnitText,
};
use octavo_search::{Fields, Query};
use octavo_search_index::TextIndex;
use std::{
    collections::HashSet,
    fs,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

const BLOCKS: usize = 10;
const WORDS: usize = 50_000;
const CLIENTS: usize = 8;
const BATCH: usize = 500;

/// Small numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A word of natural frequency: the second is half as frequent as the first, and so on.
    fn rank(&mut self) -> usize {
        let part = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (((WORDS as f64).ln() * part).exp() as usize).min(WORDS) - 1
    }
}

fn words() -> Vec<String> {
    const SYLLABLES: [&str; 20] = [
        "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "xi",
        "yo", "zu",
    ];
    let mut numbers = Numbers(99);
    let (mut known, mut words) = (HashSet::new(), Vec::with_capacity(WORDS));
    while words.len() < WORDS {
        let word: String = (0..2 + numbers.below(3)).map(|_| SYLLABLES[numbers.below(20)]).collect();
        if known.insert(word.clone()) {
            words.push(word);
        }
    }
    words
}

fn text(numbers: &mut Numbers, words: &[String], length: usize) -> String {
    let mut text = String::new();
    while text.len() < length {
        text.push_str(&words[numbers.rank()]);
        text.push(' ');
    }
    text
}

fn unit(number: usize, numbers: &mut Numbers, words: &[String]) -> Unit {
    let id =
        PageId::new(i64::try_from(number).unwrap(), numbers.next().to_be_bytes().repeat(2)[..10].try_into().unwrap());
    let user = UserId::from_bits(numbers.below(40) as u128);
    let own = |place, text| UnitText { place, text, source: None };
    let title = own(TextPlace::Title, text(numbers, words, 20));
    let place = TextPlace::Text(Some(BlockId::LOWEST));
    let blocks: Vec<_> = (0..BLOCKS).map(|_| own(place, text(numbers, words, 55))).collect();
    Unit {
        key: UnitKey::Page(id),
        place: Place { page: id.into(), database: None },
        is_archived: false,
        created_by: Some(user),
        updated_by: Some(user),
        created_at: Timestamp::from_millis(1_700_000_000_000 + i64::try_from(number).unwrap() * 1_000),
        updated_at: Timestamp::from_millis(1_700_000_000_000 + (numbers.next() % 100_000_000).cast_signed()),
        texts: [title].into_iter().chain(blocks).collect(),
        depends_on: Vec::new(),
    }
}

struct Owner;

impl NodeFilter for Owner {
    fn shows(&self, _: Place) -> bool {
        true
    }
}

struct Guest {
    list: Vec<NodeKey>,
    known: HashSet<NodeKey>,
}

impl NodeFilter for Guest {
    fn shows(&self, place: Place) -> bool {
        self.known.contains(&place.page)
    }

    fn few(&self) -> Option<&[NodeKey]> {
        Some(&self.list)
    }
}

/// Views half of all nodes, which are too many for a list.
struct Member;

impl NodeFilter for Member {
    fn shows(&self, place: Place) -> bool {
        place.page.0.is_multiple_of(2)
    }
}

fn look(query: Option<&str>) -> Look {
    Look {
        workspace: WorkspaceId::EXAMPLE,
        query: query.map(|query| Query::parse(query).unwrap()),
        fields: Fields::ALL,
        kinds: UnitKind::ALL.to_vec(),
        created_by: None,
        updated_by: None,
        created: TimeRange::default(),
        updated: TimeRange::default(),
        with_archived: false,
        order: if query.is_some() { Order::Relevance } else { Order::NewestChange },
        after: None,
        limit: 20,
    }
}

type Make<'a> = Box<dyn Fn(&mut Numbers) -> Look + Sync + 'a>;

fn main() {
    let units = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::TempDir::new().unwrap();
    let index = Arc::new(TextIndex::in_folder(folder.path().to_owned()));
    index.open().unwrap();
    let words = words();
    let nodes = build(&index, units, &words, folder.path());
    let guest = Guest { list: nodes[..50].to_vec(), known: nodes[..50].iter().copied().collect() };
    println!("{CLIENTS} clients; a cell is p50 / p95 in milliseconds, and the total of the last search");
    println!("{:24} {:>26} {:>26} {:>26}", "", "owner", "member (half)", "guest (50 pages)");
    let rare = |numbers: &mut Numbers| words[20_000 + numbers.below(20_000)].clone();
    let common = |numbers: &mut Numbers| words[numbers.below(10)].clone();
    let middle = |numbers: &mut Numbers| words[100 + numbers.below(900)].clone();
    let cases: Vec<(&str, Make<'_>)> = vec![
        ("rare word", Box::new(|n| look(Some(&format!("\"{}\"", rare(n)))))),
        ("rare word by prefix", Box::new(|n| look(Some(&rare(n))))),
        ("common word", Box::new(|n| look(Some(&format!("\"{}\"", common(n)))))),
        ("common word by prefix", Box::new(|n| look(Some(&common(n))))),
        ("two words", Box::new(|n| look(Some(&format!("{} {}", middle(n), common(n)))))),
        ("prefix of 1 letter", Box::new(|n| look(Some(&middle(n)[..1])))),
        ("prefix of 2 letters", Box::new(|n| look(Some(&middle(n)[..2])))),
        ("prefix of 3 letters", Box::new(|n| look(Some(&middle(n)[..3])))),
        ("phrase", Box::new(|n| look(Some(&format!("\"{} {}\"", middle(n), common(n)))))),
        ("phrase of common words", Box::new(|n| look(Some(&format!("\"{} {}\"", common(n), common(n)))))),
        ("word but not another", Box::new(|n| look(Some(&format!("{} -{}", middle(n), common(n)))))),
        ("everything, newest first", Box::new(|_| look(None))),
        (
            "by one of 40 people",
            Box::new(|n| Look { created_by: Some(UserId::from_bits(n.below(40) as u128)), ..look(None) }),
        ),
    ];
    for (name, make) in &cases {
        let cell = |filter: &(dyn NodeFilter + Sync)| measure(&index, &**make, filter);
        println!("{name:24} {:>26} {:>26} {:>26}", cell(&Owner), cell(&Member), cell(&guest));
    }
}

fn build(index: &Arc<TextIndex>, units: usize, words: &[String], folder: &Path) -> Vec<NodeKey> {
    let mut numbers = Numbers(7);
    let (mut bytes, mut spent, mut nodes) = (0, Duration::ZERO, Vec::with_capacity(units));
    for first in (0..units).step_by(BATCH) {
        let batch: Vec<_> = (first..units.min(first + BATCH)).map(|number| unit(number, &mut numbers, words)).collect();
        bytes += batch.iter().flat_map(|unit| &unit.texts).map(|text| text.text.len()).sum::<usize>();
        nodes.extend(batch.iter().map(|unit| unit.place.page));
        let began = Instant::now();
        let changes =
            UnitChanges { workspace: WorkspaceId::EXAMPLE, removed: Vec::new(), units: batch, progress: None };
        index.apply(vec![changes]).unwrap();
        spent += began.elapsed();
    }
    let began = Instant::now();
    index.rest().unwrap();
    let merging = began.elapsed();
    let size = size_of(folder);
    println!("{units} units, {} blocks, {:.1} MB of text", units * BLOCKS, bytes as f64 / 1e6);
    println!(
        "built in {:.1} s and {:.1} s of merging at the end: {:.0} blocks/s",
        spent.as_secs_f64(),
        merging.as_secs_f64(),
        (units * BLOCKS) as f64 / (spent + merging).as_secs_f64()
    );
    println!("index: {:.1} MB, {:.2} of the text", size as f64 / 1e6, size as f64 / bytes as f64);
    let mut times: Vec<_> = (0..50)
        .map(|number| {
            let other = unit(units + number, &mut numbers, words);
            let changes = UnitChanges {
                workspace: WorkspaceId::EXAMPLE,
                removed: Vec::new(),
                units: vec![other],
                progress: None,
            };
            let began = Instant::now();
            index.apply(vec![changes]).unwrap();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("one change, until it is found: p50 {:.0} ms, p95 {:.0} ms", millis(times[25]), millis(times[47]));
    index.rest().unwrap();
    nodes
}

fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| if entry.path().is_dir() { size_of(&entry.path()) } else { entry.metadata().unwrap().len() })
        .sum()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Several clients search for two seconds.
fn measure(
    index: &TextIndex,
    make: &(dyn Fn(&mut Numbers) -> Look + Sync),
    filter: &(dyn NodeFilter + Sync),
) -> String {
    let client = |number: usize| {
        let mut numbers = Numbers(1_000 + number as u64);
        let (began, mut times, mut total) = (Instant::now(), Vec::new(), 0);
        while began.elapsed() < Duration::from_secs(2) || times.len() < 3 {
            let look = make(&mut numbers);
            let asked = Instant::now();
            total = index.find(&look, filter, &Cancellation::default()).unwrap().total;
            times.push(asked.elapsed());
        }
        (times, total)
    };
    let all = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(move || client(number))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect::<Vec<_>>()
    });
    let total = all[0].1;
    let mut times: Vec<_> = all.into_iter().flat_map(|(times, _)| times).collect();
    times.sort_unstable();
    format!("{:.2} / {:.2} ({total})", millis(times[times.len() / 2]), millis(times[times.len() * 95 / 100]))
}
