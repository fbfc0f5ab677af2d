package dev.sotto.topology.start;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the published model at which a run begins, and says whether the run learns only from
 * records that the old one has not learned, so that it costs nobody anything twice.
 */
public final class StartResolver {
  private static final String NEW_ONLY =
      "it learns only from records that the old run has not learned";

  private final Map<String, String> clients;
  private final String app;

  /**
   * Of a run.
   *
   * @param clients Kafka client settings
   * @param app id of the run's application
   */
  public StartResolver(Map<String, String> clients, String app) {
    this.clients = clients;
    this.app = app;
  }

  /**
   * What the new run will learn from.
   *
   * @param eventTopic its topic
   * @param once whether each record is a unit of its own, and is learned once
   * @param fromEarliest whether it was told to begin at the topic's beginning
   */
  public record NewRun(String eventTopic, boolean once, boolean fromEarliest) {}

  /**
   * The model.
   *
   * @throws SottoException where there is none, or its cost is not known
   */
  public Start resolve(StartSource source, NewRun run) {
    if (source instanceof StartSource.ModelFile file) {
      StartingModel model = ModelFiles.read(file.path());
      // Whether the old run has learned more since the file was written is not known.
      StartingModel.Records known = model.records();
      return new Start(
          model.with(seen(known)),
          false,
          List.of("a model file does not tell what the old run has learned since"));
    }
    StartSource.Topics topics = (StartSource.Topics) source;
    if (topics.app().equals(app)) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "start.from names the learner's own snapshots, " + Names.snapshots(app)
              + ": a run goes on by itself; a new one needs another app.id");
    }
    Optional<StartingModel> begun = new StartTopic(clients, app).read();
    if (begun.isPresent()) {
      requireSame(begun.get(), topics);
      return new Start(
          begun.get(),
          true,
          List.of(begun.get().records().newOnly() ? NEW_ONLY : "so it was when the run began"));
    }
    StartingModel model = new PublishedRun(clients, topics.app()).version(topics.version());
    return behind(model, topics.app(), run);
  }

  private static StartingModel.Records seen(StartingModel.Records known) {
    return new StartingModel.Records(false, known.eventTopicId(), known.learned());
  }

  private void requireSame(StartingModel begun, StartSource.Topics topics) {
    String snapshots = Names.snapshots(topics.app()) + "@";
    boolean same = begun.source().startsWith(snapshots)
        && (topics.version().isEmpty() || topics.version().getAsLong() == begun.version());
    if (!same) {
      throw new SottoException(
          FailureKind.REFUSED,
          "the run " + app + " began at " + begun.source() + " (" + Names.start(app)
              + "), so start.from must go on saying so; to begin elsewhere take another app.id");
    }
  }

  /** Behind all that the old run has learned, where that can be told; otherwise not, and why. */
  private Start behind(StartingModel model, String old, NewRun run) {
    StartingModel.Records known = model.records();
    LedgerEntry newest = model.newest();
    boolean once = newest.guarantee().unit() == PrivacyUnit.RECORD
        && newest.terms().participation().equals("once");
    if (!run.once() || !once) {
      return carried(model, "units live longer than the old run");
    }
    if (run.fromEarliest()) {
      return carried(model, "events.start is earliest");
    }
    if (known.eventTopicId().isEmpty()) {
      return carried(model, "its ledger does not say from which topic it learned");
    }
    try (Admin admin = AdminClients.of(clients)) {
      ClusterInspector cluster = new ClusterInspector(admin, clients.get("bootstrap.servers"));
      Optional<TopicDescription> events = cluster.topic(run.eventTopic());
      if (events
          .filter(each -> each.topicId().toString().equals(known.eventTopicId()))
          .isEmpty()) {
        return carried(model, "it learned from another topic than " + run.eventTopic());
      }
      Optional<ConsumerGroup> group = ConsumerGroup.of(cluster, old);
      if (group.filter(each -> !each.members().isEmpty()).isPresent()) {
        return carried(
            model,
            "the learner " + old + " still runs; stop it before this one's first"
                + " start, and nothing need be carried over");
      }
      // In layout funnel its ledger tells of positions in its own sequence; its group, of events.
      Optional<List<OffsetRange>> learned = cluster.topic(Names.sequence(old)).isEmpty()
          ? Optional.of(known.learned())
          : behindGroup(cluster, old, run.eventTopic());
      return learned
          .map(each -> new Start(
              model.with(new StartingModel.Records(true, known.eventTopicId(), each)),
              true,
              List.of(NEW_ONLY)))
          .orElseGet(() -> carried(
              model, "the offsets of group " + old + " are forgotten, which tell where it was"));
    }
  }

  private static Start carried(StartingModel model, String why) {
    return new Start(model.with(seen(model.records())), true, List.of(why));
  }

  private static Optional<List<OffsetRange>> behindGroup(
      ClusterInspector cluster, String group, String topic) {
    Map<TopicPartition, OffsetAndMetadata> next = cluster.committed(group);
    List<OffsetRange> read = new ArrayList<>();
    for (TopicPartition each : cluster.all(topic)) {
      OffsetAndMetadata position = next.get(each);
      if (position == null) {
        return Optional.empty(); // forgotten: groups do so some time after their last member left
      }
      if (position.offset() > 0) {
        read.add(new OffsetRange(each.partition(), 0, position.offset()));
      }
    }
    return Optional.of(read);
  }
}
