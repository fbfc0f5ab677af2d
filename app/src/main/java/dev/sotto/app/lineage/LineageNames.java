package dev.sotto.app.lineage;

import dev.sotto.topology.settings.Names;
import java.util.List;

/**
 * What events call things.
 *
 * @param namespace of jobs
 * @param app jobs are called after it and the model
 * @param cluster namespace of topics: {@code kafka://HOST:PORT}
 * @param slots the topic to which the offsets of entries belong
 * @param sources further topics that events come from
 * @param version of Sotto
 */
public record LineageNames(
    String namespace,
    String app,
    String cluster,
    String slots,
    List<String> sources,
    String version) {
  public LineageNames {
    sources = List.copyOf(sources);
  }

  /** The topic of the ledger. */
  public String ledger() {
    return Names.ledger(app);
  }

  /** The topic of versions. */
  public String snapshots() {
    return Names.snapshots(app);
  }
}
