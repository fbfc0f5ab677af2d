package dev.sotto.serdes.topic;

/** The topics that an application publishes to, by its id; docs/wire-format.md describes them. */
public final class PublishedTopicNames {
  private PublishedTopicNames() {}

  /** Versions of models: chunks of weights, then a manifest. */
  public static String snapshots(String app) {
    return app + ".snapshots";
  }

  /** What the versions have cost, an entry each. */
  public static String ledger(String app) {
    return app + ".ledger";
  }

  /** Private metrics of windows of rounds. */
  public static String metrics(String app) {
    return app + ".metrics";
  }

  /** Names that people give to versions. */
  public static String aliases(String app) {
    return app + ".aliases";
  }
}
