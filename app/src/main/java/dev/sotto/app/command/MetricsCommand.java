package dev.sotto.app.command;

import dev.sotto.app.quality.DriftTracker;
import dev.sotto.app.view.MetricsText;
import dev.sotto.app.view.RecordDescriptions;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.monitoring.MeasuredLoss;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.NewestVersions;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the private metrics of every model, window by window. */
@Command(
    name = "metrics",
    description = {
      "Print loss, accuracy and reliability of what was predicted before it was learned from, out"
          + " of committed data, with the standard errors that the noise gives.",
      "There are none without metrics.share: docs/metrics.md."
    })
public final class MetricsCommand implements Callable<Integer> {
  private static final String LOG_LOSS = Losses.LOGISTIC.configName();

  @Mixin
  private LearnerOptions cluster;

  @Mixin
  private EntryOptions options;

  @Override
  public Integer call() {
    EntryOptions.Newest<WatchedWindow> windows = options.new Newest<>();
    DriftTracker drifts = new DriftTracker(Integer.MAX_VALUE);
    try (CommittedTopic topic = topic()) {
      topic.readToEnd(record -> {
        ModelMetrics window = decoded(record);
        windows.add(window.modelId(), new WatchedWindow(window, drifts.next(window)));
      });
    }
    windows.requireNamed(Names.metrics(cluster.appId()));
    Set<String> logLosses = logLosses(windows);
    if (options.json()) {
      System.out.println(JsonRenderer.of(
          windows.all().stream().map(each -> each.describe(logLosses)).toList()));
    } else if (windows.all().isEmpty()) {
      System.out.println("no window has been committed yet");
    } else {
      windows.byModel().forEach(each -> print(each, windows, logLosses));
    }
    return ExitCode.OK.code();
  }

  /** The models whose loss is that of a probability of two classes, as their versions say. */
  private Set<String> logLosses(EntryOptions.Newest<WatchedWindow> windows) {
    Set<String> models = new TreeSet<>();
    windows.all().forEach(each -> models.add(each.metrics().modelId()));
    if (models.isEmpty()) {
      return models;
    }
    try (NewestVersions topic =
        new NewestVersions(cluster.clients(), Names.snapshots(cluster.appId()))) {
      Map<String, PublishedModel> versions = topic.of(models);
      models.removeIf(each ->
          !versions.containsKey(each) || !versions.get(each).manifest().loss().equals(LOG_LOSS));
    } catch (SottoException unread) {
      if (unread.kind() != FailureKind.TOPIC && unread.kind() != FailureKind.FORBIDDEN) {
        throw unread;
      }
      return Set.of(); // whoever may read metrics alone gets them without baselines
    }
    return models;
  }

  /**
   * A window, and how the loss was as of it.
   *
   * @param drift null where there is nothing to compare yet
   */
  private record WatchedWindow(ModelMetrics metrics, Optional<Drift> drift) {
    Section describe(Set<String> logLosses) {
      MeasuredLoss.Figure constant = logLosses.contains(metrics.modelId())
          ? new MeasuredLoss(metrics.noisy()).bestConstant()
          : MeasuredLoss.Figure.NONE;
      return RecordDescriptions.metrics(metrics)
          .fact("bestConstantLoss", constant.value())
          .fact("bestConstantLossError", constant.error())
          .fact("drift", drift.map(RecordDescriptions::drift).orElse(null));
    }
  }

  private static void print(
      List<WatchedWindow> windows, EntryOptions.Newest<WatchedWindow> all, Set<String> logLosses) {
    boolean hasLogLoss = logLosses.contains(windows.get(0).metrics().modelId());
    MetricsText.lines(windows.stream().map(WatchedWindow::metrics).toList(), hasLogLoss)
        .forEach(System.out::println);
    long earlier = all.count(windows.get(0).metrics().modelId()) - windows.size();
    if (earlier > 0) {
      System.out.println(FigureFormat.counted(earlier, "earlier window") + ": --last 0");
    }
    System.out.println(MetricsText.drift(windows.get(windows.size() - 1).drift()));
  }

  private CommittedTopic topic() {
    try {
      return new CommittedTopic(cluster.clients(), Names.metrics(cluster.appId()));
    } catch (SottoException missing) {
      if (missing.kind() != FailureKind.TOPIC) {
        throw missing;
      }
      throw new SottoException(
          FailureKind.TOPIC,
          missing.getMessage() + "; without metrics.share there are no metrics",
          missing);
    }
  }

  private static ModelMetrics decoded(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Codecs.METRICS.decode(record.value());
    } catch (UnreadableRecordException unreadable) {
      throw new SottoException(
          FailureKind.UNVERIFIED,
          "topic " + record.topic() + ", partition " + record.partition() + ", offset "
              + record.offset() + ": " + unreadable.getMessage()
              + "; find out who else writes to this topic",
          unreadable);
    }
  }
}
