package dev.sotto.app.lineage;

import java.util.List;

/**
 * The events of one ledger entry, which are handed on together: the last of them names the entry.
 *
 * @param job the job's name, with its namespace
 * @param json one object each, in one line
 */
record EntryEvents(LedgerPlace place, String job, List<String> json) {
  EntryEvents {
    json = List.copyOf(json);
  }
}
