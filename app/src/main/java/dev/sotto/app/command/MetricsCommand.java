package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.MetricsViews;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.UnreadableRecordException;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.read.CommittedTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the private metrics of every model, window by window. */
@Command(
    name = "metrics",
    description = {
      "Print loss, accuracy and reliability of what was predicted before it was learned from, out of committed data,"
          + " with the standard errors that the noise gives.",
      "There are none without metrics.share: docs/metrics.md."
    })
public final class MetricsCommand implements Callable<Integer> {
  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--model", paramLabel = "ID", description = "Only windows of this model.")
  private String model;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "How many of the newest windows to print a model; 0 for all. Default: ${DEFAULT-VALUE}.")
  private int last;

  @Option(names = "--json", description = "Print one JSON array, an object a window.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    Map<String, List<ModelMetrics>> models = read();
    if (json) {
      System.out.println(new ObjectMapper()
          .writeValueAsString(models.values().stream()
              .flatMap(List::stream)
              .map(MetricsViews::json)
              .toList()));
    } else if (models.isEmpty()) {
      System.out.println("no window has been committed yet");
    } else {
      models.values().forEach(each -> MetricsViews.table(each).forEach(System.out::println));
    }
    return ExitCode.OK.code();
  }

  private Map<String, List<ModelMetrics>> read() {
    Map<String, List<ModelMetrics>> models = new TreeMap<>();
    try (CommittedTopic topic = topic()) {
      topic.readToEnd(record -> {
        ModelMetrics window = decoded(record);
        if (model == null || model.equals(window.modelId())) {
          List<ModelMetrics> kept =
              models.computeIfAbsent(window.modelId(), id -> new ArrayList<>());
          kept.add(window);
          if (last > 0 && kept.size() > last) {
            kept.remove(0);
          }
        }
      });
    }
    return models;
  }

  private CommittedTopic topic() {
    try {
      return new CommittedTopic(cluster.clients(), Names.metrics(cluster.appId()));
    } catch (StartFailure missing) {
      if (missing.exitCode() != ExitCode.TOPIC) {
        throw missing;
      }
      throw new StartFailure(
          ExitCode.TOPIC,
          missing.getMessage() + "; without metrics.share there are no metrics",
          missing);
    }
  }

  private static ModelMetrics decoded(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Codecs.METRICS.decode(record.value());
    } catch (UnreadableRecordException unreadable) {
      throw new StartFailure(
          ExitCode.UNVERIFIED,
          "topic " + record.topic() + ", partition " + record.partition() + ", offset "
              + record.offset() + ": " + unreadable.getMessage()
              + "; find out who else writes to this topic",
          unreadable);
    }
  }
}
