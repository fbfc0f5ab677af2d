package dev.sotto.topology.settings;

import static dev.sotto.learner.settings.ConfigKey.of;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;

/**
 * The settings of the application and of its running; none of them but the layout's changes the
 * mechanism.
 */
public final class ApplicationKeys {
  /** Below {@link #STATE_DIR}: where an embedded broker keeps its logs. */
  public static final String BROKER_FOLDER = "embedded-broker";

  /** {@link #EVENTS_START}: with the records that come. */
  public static final String LATEST = "latest";

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]+");
  private static final int LONGEST_MODEL_ID = 200;
  private static final int LAST_PORT = 65_535;

  public static final ConfigKey<String> APP_ID = of(
      "app.id",
      topic(180, "logs", "build.log", "build.lock", BROKER_FOLDER),
      "Names this learner: its consumer group, state and topics. Never change it while a model"
          + " lives.");

  public static final ConfigKey<List<String>> BOOTSTRAP_SERVERS = of(
      "bootstrap.servers",
      Domain.lists(
          "a list of host:port",
          servers -> !servers.isEmpty() && servers.stream().allMatch(ApplicationKeys::isAddress)),
      "The brokers to ask first. Not needed with `--embedded`.");

  public static final ConfigKey<LayoutChoice> LAYOUT = of(
          "layout",
          Domain.choice(LayoutChoice.values(), LayoutChoice::configName),
          "Who cuts the rounds: " + Layout.manual()
              + ". `auto` takes `direct` where `model.id.source` is partition, key or header, and"
              + " `ordered` where it is constant (docs/layouts.md).")
      .orElse(LayoutChoice.AUTO);

  public static final ConfigKey<ModelIdRule.Source> MODEL_ID_SOURCE = of(
          "model.id.source",
          Domain.choice(ModelIdRule.Source.values(), ModelIdRule.Source::configName),
          "Where a record's model comes from; never its value. Only `constant` with layouts "
              + Layout.names(Layout::spansPartitions)
              + ". With `key` and `header` producers must partition by the model's id, with"
              + " Kafka's murmur2 (Java's default; librdkafka needs"
              + " `partitioner=murmur2_random`); anything else becomes a dead letter (NO_MODEL).")
      .orElse(ModelIdRule.Source.CONSTANT);

  public static final ConfigKey<String> MODEL_ID = of(
          "model.id",
          modelIds(),
          "The model's id (`constant`), or what stands before a hyphen and the partition"
              + " (`partition`).")
      .orElse("model")
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.CONSTANT, ModelIdRule.Source.PARTITION);

  public static final ConfigKey<String> MODEL_ID_HEADER = of(
          "model.id.header",
          Domain.notBlank(),
          "The name of the header whose value is the model's id.")
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.HEADER);

  public static final ConfigKey<List<String>> MODELS_ALLOWED = of(
          "models.allowed",
          Domain.lists("a list of model ids", ids -> !ids.isEmpty()),
          "The models there may be; records of others become dead letters (NO_MODEL). Not set:"
              + " any. An id that is removed keeps its ledger, last version and state.")
      .optional()
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.KEY, ModelIdRule.Source.HEADER);

  public static final ConfigKey<List<String>> MODELS_RETIRED = of(
          "models.retired",
          Domain.lists("a list of model ids", ids -> !ids.isEmpty()),
          "Models that are no longer learned: last version and ledger stay, their state goes,"
              + " and their records become dead letters (RETIRED). It is for good.")
      .optional()
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.KEY, ModelIdRule.Source.HEADER);

  public static final ConfigKey<Long> MODELS_MOST = of(
          "models.most",
          Domain.atLeast(1),
          "The most models of one partition. Those seen first are learned; records of others"
              + " become dead letters (TOO_MANY_MODELS).")
      .orElse(10_000L)
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.KEY, ModelIdRule.Source.HEADER);

  public static final ConfigKey<Long> MODELS_HEAP = of(
          "models.heap.mb",
          Domain.between(1, 1 << 20),
          "Megabytes of the heap for models that are being learned, of all partitions of an"
              + " instance: about 64 bytes a weight, 56 more under blt. Other models are kept on"
              + " disk. Not set: a quarter of the heap.")
      .optional()
      .onlyWith(MODEL_ID_SOURCE, ModelIdRule.Source.KEY, ModelIdRule.Source.HEADER);

  public static final ConfigKey<String> RUN_LABEL = of(
          "run.label",
          Domain.notBlank(),
          "Names the run. A second history of the same records or people takes another one, and"
              + " costs again: see `privacy.spent.mu`.")
      .orElse("1");

  public static final ConfigKey<String> EVENTS_TOPIC =
      of("events.topic", topic(249), "The topic to learn from. It must not be compacted.");

  public static final ConfigKey<String> EVENTS_START = of(
          "events.start",
          Domain.oneOf("earliest", LATEST),
          "Where the very first start begins to read.")
      .orElse("earliest");

  public static final ConfigKey<Integer> LAG = of(
          "rounds.lag",
          Domain.intBetween(0, 1),
          "1 lets workers sum a round while the one before is being closed: its gradients are"
              + " one round old.")
      .orElse(0)
      .onlyWith(LAYOUT, LayoutChoice.of(Layout::sumsParts));

  public static final ConfigKey<Long> CHECKPOINT_SLOTS = of(
          "checkpoint.slots",
          Domain.atLeast(1),
          "Work in progress is saved after this number of slots, which bounds what a restart"
              + " reads again. Unless given, 200000, and in a larger model as many as it has"
              + " weights.")
      .optional();

  public static final ConfigKey<Long> CHECKPOINT_INTERVAL =
      of("checkpoint.interval.ms", Domain.atLeast(1), "And after this time.").orElse(60_000L);

  public static final ConfigKey<Long> STATE_EVERY = of(
          "state.every.rounds",
          Domain.atLeast(1),
          "State is written with a version once this number of rounds has been closed since the"
              + " last time; a restart reads them again. Unless given, as many as have a slot for"
              + " every four weights, and outside of layout rounds at least 65536 slots (200000"
              + " where histories of units are kept).")
      .optional();

  public static final ConfigKey<String> STATE_DIR =
      of("state.dir", Domain.notBlank(), "The folder of the local state.").orElse("./state");

  public static final ConfigKey<Integer> REPLICATION = of(
          "topics.replication.factor",
          Domain.ints(
              "-1, or at least 1",
              factor -> factor == -1 || factor >= 1 && factor <= Short.MAX_VALUE),
          "Of topics that are created; -1 for the broker's default.")
      .orElse(-1);

  public static final ConfigKey<Long> HISTORY = of(
          "topics.history.ms",
          Domain.atLeast(0),
          "For how long every snapshot stays readable before only the newest is kept.")
      .orElse(24 * 3_600_000L);

  public static final ConfigKey<Integer> THREADS = of(
          "threads", Domain.intBetween(1, 256), "Stream threads of this instance.")
      .orElse(1);

  public static final ConfigKey<Integer> TRANSACTION_TIMEOUT = of(
          "transaction.timeout.ms",
          Domain.intBetween(1_000, 900_000),
          "After this the broker ends the transaction of an instance that died. More than the"
              + " commit interval, and at most the broker's `transaction.max.timeout.ms` (15"
              + " minutes unless changed).")
      .orElse(10_000);

  public static final ConfigKey<Long> EVENT_MEMORY = of(
          "memory.events.bytes",
          Domain.atLeast(1L << 20),
          "Heap for fetched events that wait for their turn, in all partitions of this"
              + " instance. Unless given, an eighth of the heap, and at most 268435456 (256 MiB).")
      .optional();

  public static final ConfigKey<Long> ROCKSDB_MEMORY = of(
          "memory.rocksdb.bytes",
          Domain.atLeast(8L << 20),
          "Memory beside the heap for RocksDB, of all stores of this instance. Histories of units"
              + " want about 6 bytes each.")
      .orElse(64L << 20);

  /** The application, in the order of the manual. */
  public static final List<ConfigKey<?>> APPLICATION = List.of(
      APP_ID,
      BOOTSTRAP_SERVERS,
      LAYOUT,
      MODEL_ID_SOURCE,
      MODEL_ID,
      MODEL_ID_HEADER,
      MODELS_ALLOWED,
      MODELS_RETIRED,
      MODELS_MOST,
      RUN_LABEL);

  /** Its running, in the order of the manual. */
  public static final List<ConfigKey<?>> RUNNING = List.of(
      CHECKPOINT_SLOTS,
      CHECKPOINT_INTERVAL,
      STATE_EVERY,
      MODELS_HEAP,
      STATE_DIR,
      REPLICATION,
      HISTORY,
      THREADS,
      EVENT_MEMORY,
      ROCKSDB_MEMORY,
      TRANSACTION_TIMEOUT);

  private ApplicationKeys() {}

  static Domain<String> topic(int longest, String... reserved) {
    List<String> taken = List.of(reserved);
    String but = taken.isEmpty() ? "" : ", and none of " + String.join(", ", taken);
    return Domain.text(
        "1 to " + longest + " of a-z A-Z 0-9 . _ -" + but,
        name -> name.length() <= longest
            && TOPIC.matcher(name).matches()
            && !name.equals(".")
            && !name.equals("..")
            && !taken.contains(name));
  }

  private static Domain<String> modelIds() {
    return Domain.text(
        "1 to " + LONGEST_MODEL_ID + " characters without control characters, blanks or slashes at"
            + " either end, or two slashes in a row",
        id -> !id.isEmpty()
            && id.length() <= LONGEST_MODEL_ID
            && id.equals(id.strip())
            && !id.startsWith("/")
            && !id.endsWith("/")
            && !id.contains("//")
            && id.chars().noneMatch(Character::isISOControl));
  }

  private static boolean isAddress(String server) {
    Integer port = Utils.getPort(server);
    return Utils.getHost(server) != null && port != null && port >= 1 && port <= LAST_PORT;
  }
}
