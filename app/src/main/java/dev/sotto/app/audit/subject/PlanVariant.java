package dev.sotto.app.audit.subject;

import dev.sotto.learner.round.Plan;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A plan with some of its settings replaced and all others kept, whatever settings a plan may have: nothing that
 * decides about privacy can be forgotten here when it is added there.
 */
public final class PlanVariant {
  private final Plan plan;
  private final Map<String, Object> changes = new HashMap<>();

  private PlanVariant(Plan plan) {
    this.plan = plan;
  }

  /** Begins with a plan as it is. */
  public static PlanVariant of(Plan plan) {
    return new PlanVariant(plan);
  }

  /** Replaces one component of the record {@link Plan}. */
  public PlanVariant with(String component, Object value) {
    changes.put(component, value);
    return this;
  }

  /**
   * The plan.
   *
   * @throws IllegalArgumentException what the plan's own checks refuse
   */
  public Plan make() {
    RecordComponent[] components = Plan.class.getRecordComponents();
    Map<String, Object> left = new HashMap<>(changes);
    try {
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        String name = components[i].getName();
        values[i] = left.containsKey(name)
            ? left.remove(name)
            : components[i].getAccessor().invoke(plan);
      }
      if (!left.isEmpty()) {
        throw new IllegalArgumentException(
            "a plan must have the components to replace, but lacks " + left.keySet());
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return Plan.class.getConstructor(types).newInstance(values);
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw new IllegalStateException("a plan could not be made", refused);
    } catch (ReflectiveOperationException unlikely) {
      throw new IllegalStateException("a public record must have a public constructor", unlikely);
    }
  }
}
