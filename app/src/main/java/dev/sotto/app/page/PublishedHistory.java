package dev.sotto.app.page;

import dev.sotto.app.quality.CommittedFollower;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.topic.PublishedTopicNames;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What an application has published, as far as the page shows it: out of committed topics, and of a
 * bounded size. Safe for use by several threads.
 */
final class PublishedHistory implements AutoCloseable {
  /** Of any more models than this only the number is said to be larger. */
  static final int MODELS = 200;

  private static final int ALIASES = 200;
  private static final String LOG_LOSS = Losses.LOGISTIC.configName();

  /** Of a ledger that is not read whole. */
  private static final long NEWEST = 1_000;

  private final Map<String, ModelHistory> models = new LinkedHashMap<>();
  private final Map<String, ModelAlias> aliases = new TreeMap<>();
  private final NewestCurves curves = new NewestCurves();
  private final List<CommittedFollower> followers = new ArrayList<>();
  private Predicate<String> hasLogLoss;
  private final Map<Integer, Long> coveredByOthers = new TreeMap<>(); // of models beyond these
  private boolean more;
  private boolean whole;

  /** Of models of which no loss is known. */
  PublishedHistory() {
    this(any -> false);
  }

  /**
   * Without anything.
   *
   * @param hasLogLoss whether the loss of a model, by its id, is that of a probability of two
   *     classes
   */
  PublishedHistory(Predicate<String> hasLogLoss) {
    this.hasLogLoss = hasLogLoss;
  }

  /** Follows the topics of an application from now on. */
  synchronized void start(Map<String, String> clients, LearnerSettings learner) {
    String app = learner.app();
    Plan plan = learner.plan();
    hasLogLoss = model -> learner.run().planOf(model).lossName().equals(LOG_LOSS);
    followers.add(CommittedFollower.start(
        clients, PublishedTopicNames.ledger(app), this::ledger, this::wholeLedger));
    followers.add(
        CommittedFollower.start(clients, PublishedTopicNames.aliases(app), this::alias, () -> {}));
    if (plan.dimension() <= NewestCurves.MOST_WEIGHTS) {
      followers.add(CommittedFollower.start(
          clients, PublishedTopicNames.snapshots(app), this::snapshot, () -> {}));
    }
    if (plan.metrics() != null) {
      followers.add(CommittedFollower.start(
          clients, PublishedTopicNames.metrics(app), this::metrics, () -> {}));
    }
  }

  /** Follows the newest versions, metrics and aliases of an application from now on: no curves. */
  synchronized void startAtNewest(Map<String, String> clients, LearnerSettings learner) {
    String app = learner.app();
    hasLogLoss = model -> learner.run().planOf(model).lossName().equals(LOG_LOSS);
    followers.add(CommittedFollower.startAtNewest(
        clients, PublishedTopicNames.ledger(app), NEWEST, this::ledger, this::wholeLedger));
    followers.add(
        CommittedFollower.start(clients, PublishedTopicNames.aliases(app), this::alias, () -> {}));
    if (learner.plan().metrics() != null) {
      followers.add(CommittedFollower.startAtNewest(
          clients, PublishedTopicNames.metrics(app), NEWEST, this::metrics, () -> {}));
    }
  }

  private synchronized void wholeLedger() {
    whole = true;
  }

  /** Whether the ledger has been read to its end once. */
  synchronized boolean isWhole() {
    return whole;
  }

  synchronized void ledger(ConsumerRecord<byte[], byte[]> record) {
    try {
      LedgerEntry entry = Codecs.LEDGER.decode(record.value());
      ModelHistory model = model(entry.modelId());
      // After a fault the topic is read again from its beginning.
      if (model == null) {
        ModelHistory.cover(coveredByOthers, entry);
      } else if (!isOld(model, entry)) {
        model.add(entry, record.timestamp());
      }
    } catch (UnreadableRecordException stranger) {
      return; // sotto ledger names it
    }
  }

  private static boolean isOld(ModelHistory model, LedgerEntry entry) {
    return model.newest() != null
        && java.util.Arrays.equals(model.newest().runId(), entry.runId())
        && entry.round() <= model.newest().round();
  }

  synchronized void metrics(ConsumerRecord<byte[], byte[]> record) {
    try {
      ModelMetrics window = Codecs.METRICS.decode(record.value());
      ModelHistory model = model(window.modelId());
      if (model != null) {
        List<LossHistory.Window> known = model.losses().windows();
        if (known.isEmpty()
            || known.get(known.size() - 1).lastRound() < window.noisy().lastRound()) {
          model.add(window);
        }
      }
    } catch (UnreadableRecordException stranger) {
      return; // sotto metrics names it
    }
  }

  synchronized void snapshot(ConsumerRecord<byte[], byte[]> record) {
    curves.accept(record.key(), record.value()).ifPresent(newest -> {
      ModelHistory model = model(newest.modelId());
      if (model != null) {
        model.add(newest);
      }
    });
  }

  synchronized void alias(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return;
    }
    try {
      ModelAlias alias = Codecs.ALIAS.decode(record.value()).at(record.timestamp());
      if (aliases.size() < ALIASES || aliases.containsKey(alias.alias())) {
        aliases.put(alias.alias(), alias);
      }
    } catch (UnreadableRecordException stranger) {
      return; // sotto alias names it
    }
  }

  private ModelHistory model(String id) {
    ModelHistory known = models.get(id);
    if (known == null && models.size() >= MODELS) {
      more = true;
      return null;
    }
    return known == null
        ? models.computeIfAbsent(id, each -> new ModelHistory(hasLogLoss.test(each)))
        : known;
  }

  /** Models that have versions, in the order in which they came. */
  synchronized Map<String, ModelHistory> models() {
    Map<String, ModelHistory> published = new LinkedHashMap<>(models);
    published.values().removeIf(each -> each.newest() == null);
    return published;
  }

  /** The newest of each model. */
  synchronized List<PublishedNow.Version> newest() {
    return models().values().stream()
        .map(each -> {
          List<LossHistory.Window> windows = each.losses().windows();
          LossHistory.Figure loss = windows.isEmpty()
              ? new LossHistory.Figure(null, null)
              : windows.get(windows.size() - 1).smooth();
          return new PublishedNow.Version(each.newest(), each.time(), loss.value(), loss.error());
        })
        .toList();
  }

  /** Up to which offset of each partition versions reach; of those that are in none nothing. */
  synchronized Map<Integer, Long> covered() {
    Map<Integer, Long> all = new TreeMap<>(coveredByOthers);
    models
        .values()
        .forEach(model ->
            model.covered().forEach((partition, to) -> all.merge(partition, to, Math::max)));
    return all;
  }

  synchronized boolean hasMore() {
    return more;
  }

  /** Aliases that name a version. */
  synchronized Map<String, ModelAlias> aliases() {
    Map<String, ModelAlias> named = new TreeMap<>(aliases);
    named.values().removeIf(each -> each.target().map(AliasTarget::modelId).isEmpty());
    return named;
  }

  @Override
  public void close() {
    List<CommittedFollower> all;
    synchronized (this) {
      all = List.copyOf(followers);
    }
    all.forEach(CommittedFollower::close);
  }
}
