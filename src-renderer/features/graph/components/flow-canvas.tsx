// A drawing of nodes and lines that is panned, zoomed and walked through by keys: arrow keys follow the edges, Enter
// opens what is selected. One element has the focus; the selected node is its active descendant.

import '@xyflow/react/dist/base.css';
import type { CanvasNode } from '../canvas-node.ts';
import '../graph.css';

import type { Connection, Edge, EdgeTypes, NodeTypes } from '@xyflow/react';
import { MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';

import { t } from '../../../texts/translate.ts';
import { announce } from '../../../ui/announcer.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { nodeByKey } from '../graph-keys.ts';
import { mapScale, mapSize } from '../map-size.ts';
import { startViewport, wholeViewport } from '../start-viewport.ts';
import { FarDrawing, nodeAt } from './far-drawing.tsx';
import { RoutedEdge } from './routed-edge.tsx';
import { WireEdge } from './wire-edge.tsx';

/** What is drawn and where, in px of the drawing at 100 %, and what keys and the pointer call. */
export interface FlowCanvasProps {
  readonly label: string;
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly Edge[];
  readonly nodeTypes: NodeTypes;
  readonly direction: 'TB' | 'LR';
  readonly size: { readonly width: number; readonly height: number };
  /** Another drawing: the view starts over. */
  readonly drawing: string;
  readonly selected: string | undefined;
  /** Id of a node; "" = a press beside all nodes. */
  readonly onSelect: (id: string) => void;
  /** Enter on the selected node, or a double click. */
  readonly onOpen: (id: string) => void;
  /** Other keys while the drawing has the focus. */
  readonly onKey?: (event: KeyboardEvent, selected: string | undefined) => void;
  /** A line that was dragged from one handle to another; without it no line can be dragged. */
  readonly onConnect?: (connection: Connection) => void;
  /** Asked while a line is dragged; without it every line is valid. */
  readonly isValidConnection?: (connection: Connection | Edge) => boolean;
  /** Id of the line that was clicked. */
  readonly onSelectEdge?: (id: string) => void;
  readonly testId: string;
  readonly children?: ReactNode;
}

const EDGE_TYPES: EdgeTypes = { routed: RoutedEdge, wire: WireEdge };
const MIN_ZOOM = 0.005;
const MAX_ZOOM = 2.5;
/** A drawing with more nodes gets a map of itself. */
const MAP_FROM = 40;
/** Below this zoom nothing can be read; a drawing of many nodes is then drawn as one shape. */
const FAR_ZOOM = 0.25;
const FAR_FROM = 150;
/** Of what is seen, on the map; in pixels of the screen, unlike the width that CSS would give. */
const MAP_FRAME = 2;
/** A margin around the map would bring the edge of its veil into view, which has a line too. */
const NO_MARGIN = 0;
/** Around each node on the map, so that one of hundreds is seen there; in pixels of the screen too. */
const MAP_NODE_EDGE = 1.5;
const NO_NODES: CanvasNode[] = [];
const NO_EDGES: Edge[] = [];

/** Fills its parent. Positions come from the caller; nothing is laid out or moved here. */
export function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function domId(testId: string, id: string): string {
  return `${testId}-${id}`.replaceAll(/[^\w-]/g, (char) => `_${char.codePointAt(0)}_`);
}

function Canvas(props: FlowCanvasProps) {
  const { nodes, edges, selected, direction, testId } = props;
  const host = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  useShownNode(props, host);
  const shownNodes = useMemo(
    () =>
      nodes.map((node): CanvasNode => {
        const domAttributes = { id: domId(testId, node.id), 'aria-roledescription': t('graph.node') };
        const shown = { ...node, ariaRole: 'group', ariaLabel: node.data.label, domAttributes } as const;
        return node.id === selected ? { ...shown, selected: true } : shown;
      }),
    [nodes, selected, testId],
  );
  const shownEdges = useMemo(
    () =>
      edges.map((edge): Edge => {
        const isNear = edge.source === selected || edge.target === selected;
        const domAttributes = { 'aria-roledescription': t('graph.edge') };
        return { ...edge, domAttributes, data: { ...edge.data, isNear } };
      }),
    [edges, selected],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== host.current) return;
    const moved =
      event.ctrlKey || event.metaKey || event.altKey
        ? undefined
        : nodeByKey(keyGraph(props), selected, event.key);
    if (moved !== undefined) {
      event.preventDefault();
      if (moved !== selected) props.onSelect(moved);
    } else if (event.key === 'Enter' && selected !== undefined) {
      event.preventDefault();
      props.onOpen(selected);
    } else {
      props.onKey?.(event, selected);
    }
  };
  const { width, height } = props.size;
  const isFar = useStore(({ transform }) => transform[2] < FAR_ZOOM) && nodes.length > FAR_FROM;
  // What does not fit is found on the map, however few steps there are.
  const isCut = useStore(
    ({ transform: [, , zoom], width: room, height: depth }) =>
      room > 0 && (width * zoom > room || height * zoom > depth),
  );
  const paneWidth = useStore((state) => state.width);
  const paneHeight = useStore((state) => state.height);
  const map = mapSize(props.size, { width: paneWidth, height: paneHeight });
  const nodeEdge = map === undefined ? 0 : mapScale(props.size, map) * MAP_NODE_EDGE;
  const hasMap = !isFar && (isCut || nodes.length > MAP_FROM) && map !== undefined;
  const selectedHere = isFar ? undefined : nodes.find(({ id }) => id === selected);
  return (
    <div
      ref={host}
      role="application"
      aria-label={props.label}
      aria-activedescendant={selectedHere === undefined ? undefined : domId(testId, selectedHere.id)}
      tabIndex={0}
      data-testid={testId}
      data-direction={direction}
      onKeyDown={onKeyDown}
      className="focus-inset relative min-h-0 min-w-0 flex-1 bg-canvas"
    >
      <ReactFlow
        className="graph-flow"
        nodes={isFar ? NO_NODES : shownNodes}
        edges={isFar ? NO_EDGES : shownEdges}
        nodeTypes={props.nodeTypes}
        edgeTypes={EDGE_TYPES}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        nodesDraggable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesConnectable={props.onConnect !== undefined}
        connectionRadius={28}
        disableKeyboardA11y
        deleteKeyCode={null}
        onlyRenderVisibleElements
        zoomOnDoubleClick={false}
        panOnScroll={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_event, { id }) => {
          host.current?.focus({ preventScroll: true });
          props.onSelect(id);
        }}
        onNodeDoubleClick={(_event, { id }) => props.onOpen(id)}
        onEdgeClick={(_event, { id }) => props.onSelectEdge?.(id)}
        onPaneClick={({ clientX, clientY }) => {
          host.current?.focus({ preventScroll: true });
          const place = flow.screenToFlowPosition({ x: clientX, y: clientY });
          props.onSelect((isFar ? nodeAt(nodes, place) : undefined) ?? '');
        }}
        onConnect={(connection) => props.onConnect?.(connection)}
        isValidConnection={(connection) => props.isValidConnection?.(connection) ?? true}
      >
        {isFar && <FarDrawing nodes={nodes} edges={edges} size={props.size} selected={selected} />}
        {hasMap && (
          <MiniMap
            position="bottom-left"
            pannable
            zoomable
            ariaLabel={t('graph.map')}
            style={map}
            maskStrokeWidth={MAP_FRAME}
            offsetScale={NO_MARGIN}
            nodeStrokeWidth={nodeEdge}
            nodeStrokeColor="var(--line-strong)"
          />
        )}
      </ReactFlow>
      <ZoomButtons testId={testId} host={host} size={props.size} />
      {props.children}
    </div>
  );
}

function ZoomButtons({
  testId,
  host,
  size,
}: Pick<FlowCanvasProps, 'testId' | 'size'> & { readonly host: React.RefObject<HTMLDivElement | null> }) {
  const flow = useReactFlow();
  return (
    <div className="absolute right-3 bottom-3 z-10 flex flex-col rounded border border-line bg-surface shadow-float">
      <IconButton
        label={t('graph.zoomIn')}
        icon={ZoomIn}
        tooltipSide="left"
        onClick={() => void flow.zoomIn()}
      />
      <IconButton
        label={t('graph.zoomOut')}
        icon={ZoomOut}
        tooltipSide="left"
        onClick={() => void flow.zoomOut()}
      />
      <IconButton
        label={t('graph.fit')}
        icon={Maximize}
        tooltipSide="left"
        data-testid={`${testId}-fit`}
        onClick={() => void flow.setViewport(wholeViewport(size, paneOf(host)))}
      />
    </div>
  );
}

function paneOf(host: React.RefObject<HTMLDivElement | null>) {
  return { width: host.current?.clientWidth ?? 0, height: host.current?.clientHeight ?? 0 };
}

function keyGraph({ nodes, edges, direction }: FlowCanvasProps) {
  return {
    direction,
    nodes: nodes.map(({ id, position, width, height }) => ({ id, ...position, width, height })),
    edges: edges.map(({ source, target }) => ({ from: source, to: target })),
  };
}

/** Starts each drawing where it begins, and keeps the selected node in view. */
function useShownNode(props: FlowCanvasProps, host: React.RefObject<HTMLDivElement | null>): void {
  const { drawing, selected } = props;
  const flow = useReactFlow();
  const shownDrawing = useRef('');
  const begin = useEffectEvent(() => {
    void flow.setViewport(startViewport(props.size, paneOf(host), props.direction));
  });
  const bringIntoView = useEffectEvent((isSelectionNew: boolean) => {
    const node = props.nodes.find(({ id }) => id === selected);
    const pane = paneOf(host);
    if (node === undefined || pane.width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const left = node.position.x * zoom + x;
    const top = node.position.y * zoom + y;
    const isInside =
      left >= 0 &&
      top >= 0 &&
      left + node.width * zoom <= pane.width &&
      top + node.height * zoom <= pane.height;
    if (!isInside) {
      const centre = { x: node.position.x + node.width / 2, y: node.position.y + node.height / 2 };
      void flow.setCenter(centre.x, centre.y, { zoom: Math.max(zoom, 0.6) });
    }
    if (isSelectionNew && document.activeElement === host.current) announce(node.data.label);
  });
  useEffect(() => {
    const isNew = shownDrawing.current !== drawing;
    shownDrawing.current = drawing;
    if (isNew) begin();
    bringIntoView(!isNew);
  }, [drawing, selected]);
}
