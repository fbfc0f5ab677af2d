package dev.sotto.app.command;

import dev.sotto.app.quality.DriftTracker;
import dev.sotto.app.view.MetricsText;
import dev.sotto.app.view.RecordDescriptions;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Optional;
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
    if (options.json()) {
      System.out.println(
          JsonRenderer.of(windows.all().stream().map(WatchedWindow::describe).toList()));
    } else if (windows.all().isEmpty()) {
      System.out.println("no window has been committed yet");
    } else {
      windows.byModel().forEach(each -> print(each, windows));
    }
    return ExitCode.OK.code();
  }

  /**
   * A window, and how the loss was as of it.
   *
   * @param drift null where there is nothing to compare yet
   */
  private record WatchedWindow(ModelMetrics metrics, Optional<Drift> drift) {
    Section describe() {
      return RecordDescriptions.metrics(metrics)
          .fact("drift", drift.map(RecordDescriptions::drift).orElse(null));
    }
  }

  private static void print(List<WatchedWindow> windows, EntryOptions.Newest<WatchedWindow> all) {
    MetricsText.lines(windows.stream().map(WatchedWindow::metrics).toList())
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
