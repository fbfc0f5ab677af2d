package dev.sotto.app.crash;

import dev.sotto.app.live.OrderReplay;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testbroker.Topics;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.live.GroupProgress;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Runs a learner process on a real broker, kills it over and over, and compares with an undisturbed
 * run.
 */
final class CrashHarness implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int KILLS_INSIDE_ROUND_ONE = 2;

  /** How long a transaction is waited for in which to kill. */
  private static final Duration MOMENT = Duration.ofSeconds(60);

  private final EmbeddedBroker broker;
  private final Admin admin;
  private final Path folder;
  private final String name;
  private final Layout layout;
  private final int partitions;
  private final boolean heapOnly;
  private final Random random;
  private final EventWriter writer;
  private final Watcher watcher;
  private final List<Thread> threads = new ArrayList<>();
  private CrashLearner.Rule rule = CrashLearner.Rule.ONCE;
  private boolean losingItsFolder;
  private LearnerProcess learner;
  private int lives;
  private int openAtKill;
  private int insideRoundOne;
  private Outputs disturbed; // null until the reference runs

  CrashHarness(
      EmbeddedBroker broker,
      Path folder,
      String name,
      Layout layout,
      int partitions,
      boolean heapOnly,
      long seed)
      throws Exception {
    this.broker = broker;
    this.folder = folder;
    this.name = name;
    this.layout = layout;
    this.partitions = partitions;
    this.heapOnly = heapOnly;
    this.random = Seed.random(seed);
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    Topics.create(admin, new NewTopic(topic(), partitions, (short) 1));
    this.writer = new EventWriter(broker.bootstrapServers(), topic(), partitions, 150, seed);
    this.watcher = new Watcher(broker.bootstrapServers(), app(), homes());
  }

  private String topic() {
    return name + "-events";
  }

  /** Admits records by another rule; with record ids some of them are sent twice. */
  CrashHarness under(CrashLearner.Rule other) {
    rule = other;
    if (rule == CrashLearner.Rule.FIRST_OF_ID) {
      writer.repeat();
    }
    return this;
  }

  /**
   * Deletes the state folder after the last kill but one, so that all comes back from the
   * changelogs.
   */
  CrashHarness losingItsFolder() {
    losingItsFolder = true;
    return this;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  String app() {
    return name + "-app";
  }

  private int homes() {
    return layout == Layout.DIRECT ? partitions : 1;
  }

  /** Kills so many times, freezes so many times, and runs to the end of what was written. */
  void run(int kills, int freezes) throws Exception {
    writer.limit(0);
    start(writer);
    begin();
    boolean watching = false;
    for (int i = 0; i < kills; i++) {
      if (i < KILLS_INSIDE_ROUND_ONE && rule != CrashLearner.Rule.BLOCKS) {
        // However long a start takes, a partition's round 1 stays open.
        long held = CrashLearner.BATCH * i / KILLS_INSIDE_ROUND_ONE;
        awaitProgress(() -> writer.limit(held + 600));
        writer.limit(held + 1200);
      } else { // blocks are read again once they are full
        awaitProgress(() -> writer.limit(Long.MAX_VALUE));
        writer.pause(15);
      }
      if (!watching) {
        start(watcher);
        watching = true;
      }
      Thread.sleep(random.nextInt(1500));
      if (i > 1 && i <= freezes + 1) { // not before: no more is written until the kill
        learner.freeze(10_000); // longer than session and transaction live
        awaitProgress();
      }
      if (entries() == 0) {
        insideRoundOne++;
      }
      boolean flowing = i >= KILLS_INSIDE_ROUND_ONE || rule == CrashLearner.Rule.BLOCKS;
      boolean written = i >= 3 && (i % 2 == 1 || kills < 8);
      openAtKill += standsInTransaction(flowing ? MOMENT : Duration.ofSeconds(1), written) ? 1 : 0;
      learner.kill();
      if (losingItsFolder && i == kills - 2) {
        delete(folder.resolve(app()));
      }
      begin();
    }
    awaitProgress(() -> writer.limit(Long.MAX_VALUE));
    writer.pause(15);
    awaitWritten(4L * CrashLearner.BATCH * homes());
    Thread.sleep(1000);
    if (layout == Layout.ROUNDS) { // which never comes to the end: its last slice stays open
      awaitRounds(3);
    }
    writer.stop();
    threads.get(0).join();
    if (layout != Layout.ROUNDS) {
      awaitEnd(heapOnly);
    }
    learner.stop();
    watcher.stop();
    threads.get(1).join();
  }

  /** What the learner learns. */
  LearnerSettings settings() {
    return CrashLearner.settings(config());
  }

  /** What its rounds are made of. */
  String source() {
    return topic();
  }

  /** The topic that orders them; empty where their partitions do. */
  Optional<String> order() {
    return layout == Layout.ORDERED ? Optional.of(Names.order(app())) : Optional.empty();
  }

  /**
   * Hands partitions from one instance to two, to the other alone, and back to both, while events
   * keep coming.
   */
  void rebalance() throws Exception {
    start(writer);
    writer.pause(15);
    begin();
    awaitProgress();
    LearnerProcess first = learner;
    learner = instance("b");
    awaitShared();
    first.stop();
    awaitProgress();
    Thread.sleep(2000);
    LearnerProcess second = learner;
    begin();
    awaitShared();
    awaitRounds(4);
    writer.stop();
    threads.get(0).join();
    awaitEnd(heapOnly);
    learner.stop();
    second.stop();
  }

  private LearnerProcess instance(String suffix) throws Exception {
    Properties config = config();
    config.setProperty("state", folder.resolve(app() + "-" + suffix).toString());
    return LearnerProcess.start(config, folder, name + "-" + suffix);
  }

  /** Waits until both instances have a partition, and then for progress. */
  private void awaitShared() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (admin.describeConsumerGroups(List.of(app())).all().get().get(app()).members().stream()
            .filter(each -> !each.assignment().topicPartitions().isEmpty())
            .count()
        < 2) {
      requirePatience(deadline, "two instances at work");
    }
    awaitProgress();
    Thread.sleep(1000);
  }

  private void start(Runnable what) {
    Thread thread = new Thread(what, name + "-" + threads.size());
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private void begin() throws Exception {
    learner = LearnerProcess.start(config(), folder, name + "-" + ++lives);
  }

  private Properties config() {
    Properties config = new Properties();
    config.setProperty("bootstrap.servers", broker.bootstrapServers());
    config.setProperty("app", app());
    config.setProperty("layout", layout.name());
    config.setProperty("topic", topic());
    config.setProperty("rule", rule.name());
    ModelIdRule.Source source = layout == Layout.DIRECT && partitions > 1
        ? ModelIdRule.Source.PARTITION
        : ModelIdRule.Source.CONSTANT;
    config.setProperty("model.source", source.name());
    config.setProperty("state", folder.resolve(app()).toString());
    config.setProperty("heap.only", Boolean.toString(heapOnly));
    return config;
  }

  /**
   * Learns the finished log again, undisturbed, in the same order. Another application would have
   * other noise: so what this one has published is kept here, and all else that it has is deleted.
   */
  void runReference() throws Exception {
    disturbed = outputs();
    deleteAllBut(order().orElse(topic()));
    Properties config = config();
    config.setProperty("state", folder.resolve(reference()).toString());
    config.setProperty("heap.only", "false");
    learner = LearnerProcess.start(config, folder, name + "-reference");
    awaitEnd(false);
    learner.stop();
  }

  private void deleteAllBut(String kept) throws Exception {
    Predicate<String> ours = each ->
        (each.startsWith(app() + ".") || each.startsWith(app() + "-")) && !each.equals(kept);
    admin
        .deleteTopics(admin.listTopics().names().get().stream().filter(ours).toList())
        .all()
        .get();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (admin.listTopics().names().get().stream().anyMatch(ours)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("waited " + PATIENCE + " for the end of topics");
      }
      Thread.sleep(100);
    }
    admin.deleteConsumerGroups(List.of(app())).all().get();
  }

  /** What a run has published: its ledger, and the weights and bytes of all that is committed. */
  private record Outputs(
      List<LedgerEntry> ledger, Map<String, List<String>> published, List<double[]> weights) {}

  private Outputs outputs() {
    return new Outputs(readLedger(), readPublished(), readWeights());
  }

  /**
   * Of the application until the reference has run; of the disturbed run or of the reference from
   * then on.
   */
  private <T> T read(String run, Function<Outputs, T> kept, Supplier<T> now) {
    return disturbed == null || run.equals(reference()) ? now.get() : kept.apply(disturbed);
  }

  String reference() {
    return name + "-reference";
  }

  private void awaitProgress() throws Exception {
    awaitProgress(() -> {});
  }

  /** Waits until the group commits something new after this. */
  private void awaitProgress(Runnable after) throws Exception {
    GroupProgress group = new GroupProgress(admin, app());
    long before = group.committed();
    after.run();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (group.committed() <= before) {
      requirePatience(deadline, "progress");
    }
  }

  private void awaitWritten(long events) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (writer.committed() < events) {
      requirePatience(deadline, events + " events");
    }
  }

  private void awaitRounds(long count) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (entries() < count) {
      requirePatience(deadline, count + " rounds");
    }
  }

  /**
   * Waits until all of a stopped writer's events are learned. What the group has committed alone
   * does not tell: the trainer may be behind. One that forgets never closes all rounds.
   */
  private void awaitEnd(boolean forgets) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    GroupProgress group = new GroupProgress(admin, app());
    long rounds = forgets ? 0 : writer.fullRounds(CrashLearner.BATCH, homes());
    while (!group.hasReachedEndOf(order().orElse(topic())) || entries() < rounds) {
      requirePatience(deadline, "the end of " + topic() + " and " + rounds + " rounds");
    }
  }

  private void requirePatience(long deadline, String what) throws Exception {
    if (!learner.isAlive()) {
      throw new IllegalStateException(
          "the learner ended with " + learner.exitCode() + "; see " + folder);
    }
    if (System.nanoTime() - deadline > 0) {
      throw new IllegalStateException("waited " + PATIENCE + " for " + what + "; see " + folder);
    }
    writer.committed();
    Thread.sleep(50);
  }

  /**
   * Makes the learner stand still with a transaction open, if one is to be met in time.
   *
   * @param written whether the ledger must hold something of it
   */
  private boolean standsInTransaction(Duration time, boolean written) throws Exception {
    long deadline = System.nanoTime() + time.toNanos();
    do {
      if (isInTransaction(written)) {
        learner.stand();
        if (isInTransaction(written)) {
          return true;
        }
        learner.goOn();
      }
      Thread.sleep(random.nextInt(20)); // else it would always be looked at behind a request
    } while (System.nanoTime() - deadline < 0);
    return false;
  }

  private boolean isInTransaction(boolean written) throws Exception {
    GroupProgress group = new GroupProgress(admin, app());
    return group.hasOpenTransaction() && (!written || group.hasUncommitted(Names.ledger(app())));
  }

  /** How many entries the ledger has; -1 where no broker says so. */
  private int entries() {
    try {
      return readLedger().size();
    } catch (TransientException busy) {
      return -1;
    }
  }

  List<LedgerEntry> ledger(String run) {
    return read(run, Outputs::ledger, this::readLedger);
  }

  private List<LedgerEntry> readLedger() {
    String app = app();
    List<LedgerEntry> entries = new ArrayList<>();
    try (CommittedTopic committed = new CommittedTopic(clients(), Names.ledger(app))) {
      committed.readToEnd(record -> entries.add(Codecs.LEDGER.decode(record.value())));
    }
    return entries;
  }

  /** Every committed byte of ledger and snapshots, by topic and partition, in order. */
  Map<String, List<String>> published(String run) {
    return read(run, Outputs::published, this::readPublished);
  }

  private Map<String, List<String>> readPublished() {
    String app = app();
    Map<String, List<String>> published = new TreeMap<>();
    for (String topicNow : List.of(Names.ledger(app), Names.snapshots(app))) {
      try (CommittedTopic committed = new CommittedTopic(clients(), topicNow)) {
        committed.readToEnd(record -> published
            .computeIfAbsent(
                topicNow.substring(app.length()) + "-" + record.partition(),
                id -> new ArrayList<>())
            .add(new String(record.key(), java.nio.charset.StandardCharsets.UTF_8) + " "
                + HexFormat.of().formatHex(Sha256.sha256(record.value()))));
      }
    }
    return published;
  }

  /** The committed events as the order has them. */
  List<ConsumerRecord<byte[], byte[]>> inOrder() {
    return new OrderReplay(
            Published.read(clients(), topic()), Published.read(clients(), Names.order(app())))
        .inOrder();
  }

  /** The offsets of the committed events, by partition. */
  Map<Integer, List<Long>> slots() {
    Map<Integer, List<Long>> slots = new TreeMap<>();
    try (CommittedTopic committed = new CommittedTopic(clients(), topic())) {
      committed.readToEnd(record ->
          slots.computeIfAbsent(record.partition(), id -> new ArrayList<>()).add(record.offset()));
    }
    return slots;
  }

  /** Hands the committed events to a visitor, each partition in order. */
  void events(java.util.function.Consumer<byte[]> visitor) {
    try (CommittedTopic committed = new CommittedTopic(clients(), topic())) {
      committed.readToEnd(record -> visitor.accept(record.value()));
    }
  }

  /** The weights of every committed version of a model of one chunk, in order. */
  List<double[]> weights(String run) {
    return read(run, Outputs::weights, this::readWeights);
  }

  private List<double[]> readWeights() {
    String app = app();
    List<double[]> weights = new ArrayList<>();
    try (CommittedTopic committed = new CommittedTopic(clients(), Names.snapshots(app))) {
      committed.readToEnd(record -> {
        if (new String(record.key(), java.nio.charset.StandardCharsets.UTF_8).endsWith("/0")) {
          weights.add(PackedDoubles.unpack(Codecs.CHUNK.decode(record.value()).weights()));
        }
      });
    }
    return weights;
  }

  private Map<String, String> clients() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  long written() {
    return writer.committed();
  }

  Watcher watcher() {
    return watcher;
  }

  int openAtKill() {
    return openAtKill;
  }

  int insideRoundOne() {
    return insideRoundOne;
  }

  @Override
  public void close() {
    writer.stop();
    watcher.stop();
    try {
      if (learner != null && learner.isAlive()) {
        learner.kill();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    admin.close();
  }
}
