//! The words that every layer of Octavo shares: ids, time, accounts, events, faults.
