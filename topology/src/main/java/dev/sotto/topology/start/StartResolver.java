package dev.sotto.topology.start;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;

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
   * @param fromEarliest whether it is to begin at the topic's beginning
   */
  public record NewRun(String eventTopic, boolean once, boolean fromEarliest) {}

  /**
   * The model.
   *
   * @throws SottoException where there is none, or its cost is not known
   */
  public Start resolve(StartSource source, NewRun run) {
    if (source instanceof StartSource.ModelFile file) {
      return carried(
          ModelFiles.read(file.path()),
          false,
          "a model file does not tell what the old run has learned since");
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
      String why = begun.get().records().newOnly() ? NEW_ONLY : "so it was when the run began";
      return new Start(begun.get(), true, List.of(why));
    }
    return begin(topics, run);
  }

  private void requireSame(StartingModel begun, StartSource.Topics topics) {
    boolean same = begun.app().equals(topics.app())
        && (topics.version().isEmpty() || topics.version().getAsLong() == begun.version());
    if (!same) {
      throw new SottoException(
          FailureKind.REFUSED,
          "the run " + app + " began at " + begun.source() + " (" + Names.start(app)
              + "), so start.from must go on saying so; to begin elsewhere take another app.id");
    }
  }

  /** Behind all that the old run has learned, where that is known; otherwise not, and why. */
  private Start begin(StartSource.Topics topics, NewRun run) {
    String old = topics.app();
    try (Admin admin = AdminClients.of(clients)) {
      ClusterInspector cluster = new ClusterInspector(admin, clients.get("bootstrap.servers"));
      if (!run.fromEarliest()) {
        requireStopped(cluster, old);
      }
      cluster.committed(old); // waits until its last transaction has ended
      StartingModel model = new PublishedRun(clients, old).version(topics.version());
      LedgerEntry newest = model.newest();
      StartingModel.Records known = model.records();
      boolean once = newest.guarantee().unit() == PrivacyUnit.RECORD
          && newest.terms().participation().equals("once");
      if (!run.once() || !once) {
        return carried(model, true, "units live longer than the old run");
      }
      if (run.fromEarliest()) {
        return carried(
            model,
            true,
            "events.start is earliest; without it the run would begin"
                + " after what the old one has learned");
      }
      if (known.eventTopicId().isEmpty()) {
        return carried(model, true, "its ledger does not say from which topic it learned");
      }
      Optional<TopicDescription> events = cluster.topic(run.eventTopic());
      if (events
          .filter(each -> each.topicId().toString().equals(known.eventTopicId()))
          .isEmpty()) {
        return carried(model, true, "it learned from another topic than " + run.eventTopic());
      }
      Optional<String> doubt = EarlierRuns.doubt(clients, model);
      if (doubt.isPresent()) {
        return carried(model, true, doubt.get());
      }
      if (known.learned().isEmpty()) {
        return carried(
            model, true, "its ledger does not say what it has read of " + run.eventTopic());
      }
      List<StartingModel> runs = EarlierRuns.of(clients, model);
      if (runs.stream().anyMatch(each -> each.app().equals(app))) { // its ledger is no new one
        throw new SottoException(
            FailureKind.CONFIGURATION,
            "start.from names a run that comes after one of app.id " + app
                + ", so this one needs another app.id");
      }
      return new Start(
          model.with(new StartingModel.Records(
              true, known.eventTopicId(), EarlierRuns.learned(runs), known.entries())),
          true,
          List.of(NEW_ONLY));
    }
  }

  private static void requireStopped(ClusterInspector cluster, String old) {
    ConsumerGroup.of(cluster, old).filter(each -> !each.members().isEmpty()).ifPresent(running -> {
      throw new SottoException(
          FailureKind.IN_USE,
          "the learner " + old + " still runs (" + String.join(", ", running.names())
              + "): stop it before the first start of a run that begins at its model (a killed"
              + " one counts until its session ends). To learn its records again, at all that"
              + " it may ever cost, set events.start: earliest");
    });
  }

  private static Start carried(StartingModel model, boolean fromTopics, String why) {
    StartingModel.Records known = model.records();
    return new Start(
        model.with(new StartingModel.Records(
            false, known.eventTopicId(), known.learned(), known.entries())),
        fromTopics,
        List.of(why));
  }
}
