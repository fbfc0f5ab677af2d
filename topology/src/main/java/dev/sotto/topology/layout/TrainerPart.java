package dev.sotto.topology.layout;

import dev.sotto.topology.processor.BoundedTimestamps;
import dev.sotto.topology.processor.HomePartitioner;
import dev.sotto.topology.processor.LogAppendTimes;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Whoever closes rounds: its stores, and where it publishes, are the same in all layouts.
 *
 * @param source what it reads
 */
record TrainerPart(LearnerSettings settings, SourceTopics source) {
  /**
   * The part.
   *
   * @param input name of the node of what it reads
   * @param more what it writes beside what it publishes
   */
  Subtopology of(
      String input,
      Supplier<Processor<byte[], byte[], byte[], byte[]>> trainer,
      Subtopology.Output more) {
    return new Subtopology(
        Names.TRAIN,
        List.of(new Subtopology.Input(input, settings.trainingTopic(), times())),
        trainer,
        stores(),
        outputs(more));
  }

  private List<StoreBuilder<KeyValueStore<String, byte[]>>> stores() {
    List<StoreBuilder<KeyValueStore<String, byte[]>>> stores =
        new ArrayList<>(List.of(LearnerStores.heads(), LearnerStores.learner(settings)));
    if (settings.keepsHistories()) {
      stores.add(LearnerStores.units());
    }
    return stores;
  }

  private List<Subtopology.Output> outputs(Subtopology.Output more) {
    ModelIdRule ids = settings.modelIds();
    CandidateModels candidates = settings.run().candidates();
    int homes = source.partitions();
    String app = settings.app();
    List<Subtopology.Output> outputs = new ArrayList<>();
    outputs.add(new Subtopology.Output(
        Names.TO_LEDGER, Names.ledger(app), HomePartitioner.ofIds(ids, candidates, homes)));
    outputs.add(new Subtopology.Output(
        Names.TO_SNAPSHOTS, Names.snapshots(app), HomePartitioner.ofParts(ids, candidates, homes)));
    if (settings.plan().metrics() != null) {
      outputs.add(new Subtopology.Output(
          Names.TO_METRICS, Names.metrics(app), HomePartitioner.ofIds(ids, candidates, homes)));
    }
    outputs.add(more);
    return outputs;
  }

  private TimestampExtractor times() {
    return settings.plan().needsLogTime() ? new LogAppendTimes() : new BoundedTimestamps();
  }
}
