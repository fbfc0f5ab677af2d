package dev.sotto.topology.settings;

import dev.sotto.serdes.topic.PublishedTopicNames;
import java.util.Set;

/** The words that name nodes, stores and topics; they live here only. */
public final class Names {
  public static final String EVENTS = "events";
  public static final String TRAIN = "train";
  public static final String ORDER = "order";
  public static final String TO_SNAPSHOTS = "to-snapshots";
  /** Behind the name of a node that copies: what is written as it is, and its copy. */
  public static final String AS_IT_IS = "-topic";

  public static final String COPY = "-registry";

  public static final String TO_METRICS = "to-metrics";
  public static final String TO_LEDGER = "to-ledger";
  public static final String TO_DEAD_LETTERS = "to-dead-letters";

  public static final String WORK = "work";
  public static final String CONTROL = "control";
  public static final String SUMS = "sums";
  public static final String TO_SUMS = "to-sums";
  public static final String TO_CONTROL = "to-control";

  public static final String JOIN = "join";
  public static final String FEATURES = "features";
  public static final String LABELS = "labels";
  public static final String TO_LABELLED = "to-labelled";
  public static final String JOINS = "joins";

  public static final String HEADS = "heads";
  public static final String LEARNER = "learner";
  public static final String UNITS = "units";

  /** The header of a ledger record that says of which event topic's records it tells, by id. */
  public static final String EVENT_TOPIC_ID = "event-topic-id";

  /** The header of a ledger record that says in which topic its ranges lie, by id. */
  public static final String RANGES_TOPIC_ID = "ranges-topic-id";

  private Names() {}

  /** Where model versions are published. */
  public static String snapshots(String app) {
    return PublishedTopicNames.snapshots(app);
  }

  /** Where each round's cost is published. */
  public static String ledger(String app) {
    return PublishedTopicNames.ledger(app);
  }

  /** Where a run that began at another's weights keeps how it began. */
  public static String start(String app) {
    return app + ".start";
  }

  /** Where the same is published behind the ids of a registry, if that is asked for. */
  public static String registryCopy(String topic) {
    return topic + ".registry";
  }

  /** Where private metrics are published, if they have a share of the budget. */
  public static String metrics(String app) {
    return PublishedTopicNames.metrics(app);
  }

  /** Where people name versions; written by them and by the gate, never read by what learns. */
  public static String aliases(String app) {
    return PublishedTopicNames.aliases(app);
  }

  /** Where records that could not be used are set aside: inside the trust boundary. */
  public static String deadLetters(String app) {
    return app + ".dead-letters";
  }

  /**
   * Where the rounds layout opens rounds, one copy a partition of events: inside the trust
   * boundary.
   */
  public static String control(String app) {
    return app + ".control";
  }

  /** Where the rounds layout's workers send their encrypted sums: inside the trust boundary. */
  public static String sums(String app) {
    return app + ".sums";
  }

  /** Announcements, which put the slots of all partitions in one order: layout ordered. */
  public static String order(String app) {
    return app + ".order";
  }

  /** Events with the labels that came later: inside the trust boundary. */
  public static String labelled(String app) {
    return app + ".labelled";
  }

  /** A learner's topics that no layout has for itself, and the changelogs of its stores. */
  static Set<String> ofEveryLayout(String app) {
    return Set.of(
        snapshots(app),
        ledger(app),
        registryCopy(snapshots(app)),
        registryCopy(ledger(app)),
        start(app),
        metrics(app),
        aliases(app),
        deadLetters(app),
        labelled(app),
        changelog(app, HEADS),
        changelog(app, LEARNER),
        changelog(app, UNITS),
        changelog(app, JOINS));
  }

  /** Where Streams keeps what a store holds: inside the trust boundary. */
  public static String changelog(String app, String store) {
    return app + "-" + store + "-changelog";
  }
}
