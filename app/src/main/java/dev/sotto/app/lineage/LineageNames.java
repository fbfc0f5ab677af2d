package dev.sotto.app.lineage;

import java.util.List;

/**
 * What events call things.
 *
 * @param namespace of jobs
 * @param app jobs are called after it and the model
 * @param cluster namespace of topics: {@code kafka://HOST:PORT}
 * @param slots the topic to which the offsets of entries belong
 * @param sources further topics that events come from
 * @param ledger the topic of the ledger
 * @param snapshots the topic of versions
 * @param version of Sotto
 */
public record LineageNames(
    String namespace,
    String app,
    String cluster,
    String slots,
    List<String> sources,
    String ledger,
    String snapshots,
    String version) {
  public LineageNames {
    sources = List.copyOf(sources);
  }
}
