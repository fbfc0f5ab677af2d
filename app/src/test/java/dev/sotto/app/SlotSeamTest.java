package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ModelRouting;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * From a record to its slot there is one way, which trainer, workers, replays, explain and reset go:
 * docs/development/adding.md, "A setting that changes what a slot is".
 */
class SlotSeamTest {
  private static final String ASKING =
      "dev\\.sotto\\.(topology|replay|app\\.explain|app\\.reset)\\b.*";

  /** Who reads a slot out of a record, or asks whose it is; a decoder may ask another one. */
  private static Stream<String> derives(JavaClass each) {
    boolean decoder = each.isAssignableTo(EventDecoder.class);
    return each.getMethodCallsFromSelf().stream()
        .filter(call -> !decoder && decodes(call) || routes(call))
        .map(call -> each.getSimpleName());
  }

  private static boolean decodes(JavaMethodCall call) {
    return call.getTargetOwner().isAssignableTo(EventDecoder.class)
        && call.getName().equals("decode");
  }

  private static boolean routes(JavaMethodCall call) {
    return call.getTargetOwner().isAssignableTo(ModelRouting.class)
        && call.getName().equals("modelOf");
  }

  @Test
  void derivesASlotInOnePlace() {
    Set<String> deriving = OurClasses.ALL.stream()
        .filter(each -> each.getPackageName().matches(ASKING))
        .flatMap(SlotSeamTest::derives)
        .collect(Collectors.toSet());
    assertThat(deriving)
        .containsExactlyInAnyOrder(
            SlotDecoders.class.getSimpleName(),
            SourceRecord.class.getSimpleName(),
            ModelIdRule.class.getSimpleName()); // where a partition has one model
  }

  /** The twin: each of these would be found. */
  @Test
  void findsASecondWay() {
    for (Class<?> deriving : List.of(Decodes.class, Routes.class)) {
      JavaClass imported = new ClassFileImporter()
          .importClasses(deriving, EventDecoder.class, ModelRouting.class)
          .get(deriving);
      assertThat(derives(imported)).as(deriving.getSimpleName()).isNotEmpty();
    }
  }

  static final class Decodes {
    void reads(EventDecoder decoder, byte[] value, Slot slot) {
      decoder.decode(null, value, slot);
    }
  }

  static final class Routes {
    String asks(ModelRouting routing, byte[] key) {
      return routing.modelOf(key, null);
    }
  }
}
